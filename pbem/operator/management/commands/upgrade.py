"""Prepares the database after a new version was installed, before it starts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.operator.backups import Unusable, back_up
from pbem.operator.doctor.database import pending


class Command(BaseCommand):
    help = "Make a backup and bring the database up to date. Stop the service before, and start it after."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--backup", type=Path, metavar="FILE|DIR", help="where to (default: VAR/backups)")
        parser.add_argument("--no-backup", action="store_true", help="there is one already")

    def handle(self, *args: Any, **options: Any) -> None:
        waiting = pending()
        if not waiting:
            self.stdout.write("The database is up to date.")
            return
        if not options["no_backup"]:
            self._back_up(options["backup"])
        call_command("migrate", verbosity=0)
        self.stdout.write(
            f"{len(waiting)} migrations done. Start the service (pbem.service, or pbem.target)."
        )

    def _back_up(self, target: Path | None) -> None:
        folder = target or settings.VAR / "backups"
        if target is None:
            folder.mkdir(mode=0o700, exist_ok=True)
        try:
            path = back_up(folder, timezone.now())
        except Unusable as why:
            raise CommandError(f"{why} Nothing was migrated.") from why
        self.stdout.write(f"The backup is {path}.")
