"""Prints the health of the service, for readers and for monitoring."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from pbem.health import health


class Command(BaseCommand):
    help = (
        "Print one line for each number, `name value` as Prometheus reads it, and on standard error what is wrong. "
        "Exit status: 0 all is well, 1 something is not."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        measured = health(timezone.now())
        for each in measured:
            if each.value is not None:
                self.stdout.write(f"{each.vital.name} {each.value:.0f}")
        ill = [each for each in measured if each.is_failing]
        for each in ill:
            self.stderr.write(f"{each.vital.trouble}")
        if ill:
            raise SystemExit(1)
