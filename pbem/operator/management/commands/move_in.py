"""Loads what `move_out` wrote on another machine."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from pbem.admin.backups.archive import Unusable
from pbem.admin.backups.transfer import move_in


class Command(BaseCommand):
    help = (
        "Read what `pbem move_out` has written, in place of all that the database holds, and compare each table with "
        "what was there. Refuses a database that holds matches unless --force."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--force", action="store_true", help="replace the matches that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        try:
            manifest, tables = move_in(options["file"], force=options["force"])
        except Unusable as why:
            raise CommandError(str(why)) from why
        call_command("migrate", verbosity=0)  # groups, permissions and robots by the settings here
        for table in tables:
            if options["verbosity"] > 1:
                self.stdout.write(f"{table.table}: {table.rows} rows, {table.digest[:16]}")
        self.stdout.write(
            f"{sum(table.rows for table in tables):,} rows in {len(tables)} tables, each as it was there."
        )
        if manifest.lost_keys:
            self.stderr.write(
                "MAIL_TOKEN_KEYS is not what it was there: copy the settings file as well, or answers to older letters "
                "are refused."
            )
