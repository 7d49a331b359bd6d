"""Asks players whether the public pages may show their games under their name."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from pbem.outbox.notifications.direct_messages import ask_about_site


class Command(BaseCommand):
    help = (
        "Ask players, each once, whether the site may show their games; newcomers read it in their welcome."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--most", type=int, default=500, help="how many letters at a time (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = ask_about_site(now=timezone.now(), most=options["most"])
        self.stdout.write(f"{asked} players are asked.")
