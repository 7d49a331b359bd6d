"""Prints a sign-in link for a staff account without a password."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from pbem.admin.people.sign_in import sign_in_link


class Command(BaseCommand):
    help = "Print a link that signs a member of the staff in, once, within the hour."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", help="user name or address")
        parser.add_argument(
            "--create", action="store_true", help="make a superuser with this address, if there is none"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        who, users = options["who"], get_user_model().objects.filter(is_active=True, is_staff=True)
        user = users.filter(username=who).first() or users.filter(email__iexact=who).first()
        if user is None and options["create"]:
            user = get_user_model().objects.create_superuser(who.partition("@")[0], who if "@" in who else "")
        if user is None:
            raise CommandError(f"No member of staff is called {who}. --create makes an account.")
        self.stdout.write(sign_in_link(user))
