"""Writes the whole service to one file, for another machine and any database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.admin.backups.archive import Unusable
from pbem.admin.backups.transfer import move_out
from pbem.operator.doctor.database import pending


class Command(BaseCommand):
    help = (
        "Write all rows and the files of VAR to FILE, which `pbem move_in` reads into SQLite or PostgreSQL. The "
        "service is stopped, and does not start here again. Settings are not in it: copy their file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", metavar="FILE|DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        if pending():
            raise CommandError("The database is older than this program: pbem upgrade.")
        try:
            path = move_out(options["target"], timezone.now())
        except Unusable as why:
            raise CommandError(str(why)) from why
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes. Here the service must not start again.")
