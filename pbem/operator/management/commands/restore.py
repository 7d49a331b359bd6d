"""Restores a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.operator.backups import Unusable, restore


class Command(BaseCommand):
    help = (
        "Replace the database with a backup's, while the service is stopped; then give the clocks the lost time, "
        "and send the board to everybody who plays. Refuses a database that holds matches unless --force."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--force", action="store_true", help="replace the matches that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest, epoch = restore(options["file"], now=timezone.now(), force=options["force"])
        except Unusable as why:
            raise CommandError(str(why)) from why
        self.stdout.write(
            f"Restored as of {manifest.made_at}: {manifest.matches} matches, {manifest.players} players."
        )
        self.stdout.write(
            f"Epoch {epoch.number}. Start the service: the letters with the boards are waiting."
        )
        if manifest.lost_keys:
            self.stderr.write(
                f"MAIL_TOKEN_KEYS lacks what it was when the backup was made (key {', '.join(manifest.lost_keys)}): "
                "answers to older letters are refused. Put the old keys back beside the new ones."
            )
