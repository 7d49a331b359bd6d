"""Waits until another process has migrated the database."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from pbem.operator.doctor.database import OLDER, pending

GLANCE = 1.0  # seconds between two attempts


class Command(BaseCommand):
    help = "Wait until the database is up and no older than this program; say once what is awaited."

    requires_system_checks = ()  # the process that follows runs its own

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, help="give up after this long (default: never)")

    def handle(self, *args: Any, **options: Any) -> None:
        end = time.monotonic() + (options["seconds"] if options["seconds"] is not None else float("inf"))
        said = ""
        while why := self._why_not():
            if why != said:
                self.stdout.write(why)
                self.stdout.flush()
                said = why
            if time.monotonic() > end:
                raise CommandError("Waited in vain.")
            time.sleep(GLANCE)

    @staticmethod
    def _why_not() -> str:
        try:
            waiting = pending()
        except (DatabaseError, OSError) as trouble:
            return f"The database cannot be used: {' '.join(str(trouble).split())}"
        return f"The {OLDER}: pbem upgrade" if waiting else ""
