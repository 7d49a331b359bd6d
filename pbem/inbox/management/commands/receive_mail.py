"""The pipe of a mail server: one letter on standard input, a status of sysexits.h as the answer."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils import timezone

from pbem.inbox.addressing import resolve
from pbem.inbox.guards import LETTER
from pbem.inbox.keeping import keep


class Command(BaseCommand):
    help = "Keep the letter on standard input. Status: 0 kept, 65 too large, 67 no such address, 75 try again later."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("recipient", nargs="+", help="an address of ours, as the envelope has it")
        parser.add_argument("--sender", default="", help="the envelope sender; empty for a bounce")

    def handle(self, *args: Any, **options: Any) -> None:
        raw = sys.stdin.buffer.read(LETTER + 1)
        if len(raw) > LETTER:
            self._leave(os.EX_DATAERR, f"the letter is larger than {LETTER} bytes")
        try:
            for recipient in options["recipient"]:
                if resolve(recipient, timezone.now()) is None:
                    self._leave(os.EX_NOUSER, f"{recipient!r} is no address of ours")
            for recipient in options["recipient"]:
                keep(raw, sender=options["sender"], recipient=recipient, now=timezone.now())
        except DatabaseError as away:
            self._leave(os.EX_TEMPFAIL, f"the database is away: {away}")

    def _leave(self, status: int, why: str) -> None:
        self.stderr.write(why)
        sys.exit(status)
