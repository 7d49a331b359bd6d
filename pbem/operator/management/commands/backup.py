"""Writes a backup of the whole service to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.operator.backups import Unusable, back_up


class Command(BaseCommand):
    help = (
        "Write all rows and the files of VAR to FILE, or to a new file in the folder DIR. The service may run; an "
        "existing file is never overwritten. MAIL_TOKEN_KEYS and SECRET_KEY are settings: keep them elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", metavar="FILE|DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = back_up(options["target"], timezone.now())
        except Unusable as why:
            raise CommandError(str(why)) from why
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")
