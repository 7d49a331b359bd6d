"""Lists second factors, or removes one after the app and the recovery codes were lost."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.admin.base import audit_log
from pbem.admin.people import sign_in as second_factor


class Command(BaseCommand):
    help = "List which staff also sign in with a code, or forget the second factor of one of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--forget", metavar="WHO", help="user name or address: they set up another one")

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model().objects.filter(is_staff=True).order_by("username")
        if who := options["forget"]:
            user = users.filter(username=who).first() or users.filter(email__iexact=who).first()
            factor = user and second_factor.of(user)
            if user is None or factor is None:
                raise CommandError(f"No member of staff called {who} has a second factor.")
            second_factor.forget(user)
            audit_log.note(
                user, who="pbem", verb="second_factor", said="second_factor --forget",
                before={}, after={}, now=timezone.now(),
            )  # fmt: skip
        for user in users:
            factor = second_factor.of(user)
            has = f"since {factor.created_at:%Y-%m-%d}" if factor else "no second factor"
            self.stdout.write(f"{user.get_username()}: {has}")
