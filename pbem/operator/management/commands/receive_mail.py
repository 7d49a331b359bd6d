"""Receives one letter on standard input from a mail server's pipe; the exit status is one of sysexits.h."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.store import code_of, disk_is_low, objection, store_message
from pbem.mail.parsing.headers import envelope_sender
from pbem.mail.parsing.parts import LETTER
from pbem.refusals import REFUSALS, Code, Refused

USAGE_OF_ARGPARSE = 2


class Command(BaseCommand):
    help = (
        "Keep the email on standard input. Exit status: 0 kept, 64 called wrongly, 65 too large or too complex, "
        "67 no such address, 75 try again later."
    )
    requires_system_checks = ()  # they exit with 1, on which a mail server bounces the letter

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except SystemExit as leaving:
            sys.exit(os.EX_USAGE if leaving.code == USAGE_OF_ARGPARSE else leaving.code)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("recipient", nargs="+", help="an address of ours, as the envelope has it")
        parser.add_argument(
            "--sender", help="the envelope sender; empty for a bounce. Left out: as the email says"
        )
        parser.add_argument("--peer", default="", help="the IP address that the email came from")
        parser.add_argument("--helo", default="", help="the name that it gave itself")

    def handle(self, *args: Any, **options: Any) -> None:
        raw = sys.stdin.buffer.read(LETTER + 1)
        if code := objection(raw):
            self._leave(os.EX_DATAERR, code)
        sender = envelope_sender(raw) if options["sender"] is None else options["sender"]
        try:
            if disk_is_low():
                self._leave(os.EX_TEMPFAIL, Code.DISK_LOW)
            for recipient in options["recipient"]:
                if resolve_recipient(recipient, timezone.now()) is None:
                    self._leave(os.EX_NOUSER, Code.NO_SUCH_ADDRESS)
            for recipient in options["recipient"]:
                envelope = {name: options[name] for name in ("peer", "helo")} | {"sender": sender}
                store_message(raw, recipient=recipient, now=timezone.now(), may_refuse=True, **envelope)
        except Refused as refused:
            self._leave(os.EX_TEMPFAIL, refused.code)
        except Exception as trouble:  # the mail server keeps the letter and retries
            self._leave(os.EX_TEMPFAIL, code_of(trouble), f" ({trouble})")

    def _leave(self, status: int, code: str, why: str = "") -> None:
        self.stderr.write(f"{REFUSALS[code].sentence}{why}")
        sys.exit(status)
