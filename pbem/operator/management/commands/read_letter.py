"""What would become of letters: one JSON object for each, and nothing is done."""

import json
import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.errors import UnknownName
from pbem.inbox.dry_run import Board, on_trial
from pbem.mail.parsing.letter import text_of_letter
from pbem.mail.parsing.limits import LETTER
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.players.languages import LANGUAGES
from pbem.refusals import Code

NO_FILE = Code.UNREADABLE
STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = (
        "Read letters as the service would and print a JSON object for each, one per line. "
        "The exit status is 0 whatever is in them; no database is needed."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="+", help="an email (.eml); - is standard input")
        parser.add_argument("--game", metavar="NAME", help="whose moves are read, as they are at its start")
        parser.add_argument("--language", choices=LANGUAGES, default=settings.LANGUAGE_CODE)
        parser.add_argument("--sent", metavar="FILE", help="the letter of ours that is answered, or its text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            board = Board.of(options["game"], options["language"]) if options["game"] else None
            sent = text_of_letter(ParsedMail(Path(options["sent"]).read_bytes())) if options["sent"] else None
        except (UnknownName, OSError) as mistake:
            raise CommandError(str(mistake)) from mistake
        known = {
            "board": board,
            "language": options["language"],
            "sent": sent,
            "own_domain": settings.MAIL_DOMAIN,
        }
        on_trial(_FIRST, **known)  # or the first letter would pay for what Python loads once
        with suppress(BrokenPipeError):
            for name in options["file"]:
                self.stdout.write(json.dumps(_reading(name, known), ensure_ascii=True))


_FIRST = b"From: nobody@example.org\nContent-Type: text/html\n\n<p>HELP</p>"


def _reading(name: str, known: dict[str, Any]) -> dict[str, Any]:
    file = _plain(name)
    try:
        raw = _octets(name)
    except (OSError, ValueError) as mistake:  # ValueError: a NUL in the name
        nothing = on_trial(b"", **known)
        return (
            {"file": file}
            | nothing
            | {
                "verdict": NO_FILE,
                "defects": [f"no such letter: {_plain(str(mistake))}"],
                "milliseconds": 0.0,
            }
        )
    began = process_time()
    reading = on_trial(raw, **known)
    return {"file": file} | reading | {"milliseconds": round(1000 * (process_time() - began), 1)}


def _plain(name: str) -> str:
    """File names may hold octets that are no text."""
    return name.encode("utf-8", "replace").decode()


def _octets(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(LETTER + 1)
    with open(name, "rb") as file:
        return file.read(LETTER + 1)
