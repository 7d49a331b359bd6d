"""Shows how letters are read, one JSON object for each, without effect."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils import timezone

from games.protocol import UnknownName
from games.registry import find
from pbem.budget import of_a_letter
from pbem.inbox.chain import process
from pbem.inbox.commands.command import Command as Command_of_commands
from pbem.inbox.commands.command import Say
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.verbs import verb_of
from pbem.inbox.interpretation import interpret, unanswered
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.transports.store import store_message
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.letter import text_of_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import LETTER
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.outbox.signed_addresses import play_address, sealed_address
from pbem.players.models import Player
from pbem.players.models.address import is_ours, is_possible
from pbem.players.names import LANGUAGES
from pbem.players.services import register
from pbem.players.tokens import PLAY, Purpose, Token
from pbem.refusals import Code

STANDARD_INPUT = "-"
_FIRST = b"From: someone@example.org\nContent-Type: text/html\n\n<p>HELP</p>"
_WRITER, _OPPONENT = "alice@example.org", "bruno@example.org"


class Command(BaseCommand):
    help = (
        "Read emails as the service would and print a JSON object for each, one per line. "
        "Always exits with 0; the configured database is not opened."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="+", help="an email (.eml); - is standard input")
        parser.add_argument("--game", metavar="NAME", help="the game of the match that replies are about")
        parser.add_argument("--language", choices=LANGUAGES, default=settings.LANGUAGE_CODE)
        parser.add_argument("--sent", metavar="FILE", help="our letter that is answered, or its text")

    def handle(self, *args: Any, **options: Any) -> None:
        game, language = options["game"], options["language"]
        try:
            if game:
                find(game)
            sent = text_of_letter(ParsedMail(Path(options["sent"]).read_bytes())) if options["sent"] else ""
        except (UnknownName, OSError) as mistake:
            raise CommandError(str(mistake)) from mistake
        with _database_in_memory(), suppress(BrokenPipeError):
            dry_run(
                _FIRST, game, language, sent
            )  # imports and caches, which would count for the first letter
            for name in options["file"]:
                reading = {"file": _plain(name)} | _reading(name, game, language, sent)
                self.stdout.write(json.dumps(reading, ensure_ascii=True))


@contextmanager
def _database_in_memory() -> Iterator[None]:
    """Puts an empty database in the place of the configured one."""
    configured = connections[DEFAULT_DB_ALIAS]
    changes = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    memory = DatabaseWrapper(configured.settings_dict | changes, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = memory
    try:
        with memory.schema_editor() as editor:
            for model in apps.get_models():
                if model._meta.can_migrate(memory):
                    editor.create_model(model)
        yield
    finally:
        BaseDatabaseWrapper.close(memory)  # SQLite's own close() keeps a database in memory open
        connections[DEFAULT_DB_ALIAS] = configured


def dry_run(raw: bytes, game: str | None, language: str, sent: str) -> dict[str, Any]:
    """Receives the letter in a transaction that is rolled back, and returns what the service made of it.

    With a `game` it belongs to a new match of its author, unless it is a new letter to play@. `sent` is the text
    of the letter of ours that it answers.
    """
    began, now = process_time(), timezone.now()
    with transaction.atomic(), of_a_letter():
        mail = ParsedMail(raw, own_domain=settings.MAIL_DOMAIN)
        seen = (mail.inside or mail).summary
        author = seen.author if is_possible(seen.author) and not is_ours(seen.author) else _WRITER
        writer = register(name="Alice", email=author, language=language, now=now)
        opponent = register(name="Bruno", email=_OPPONENT, language=language, now=now)
        match = start(first=writer, second=opponent, game=game, now=now, rng=Random(0)) if game else None
        if sent:
            _answered(seen, writer, match, sent).save()
        recipient = _seat_address(match) if match and not _is_new(seen) else play_address()
        row = store_message(raw, sender=seen.author, recipient=recipient, now=now)
        reading = interpret(row)
        process(row, reading, now)
        silent = unanswered(reading.summary, reading.letter)
        asks = [line for lines in Confirmation.objects.values_list("lines", flat=True) for line in lines]
        transaction.set_rollback(True)
        return {
            "verdict": None if row.verdict == OK else row.verdict,
            "commands": [] if silent else [_said(command) for command in reading.understood.commands],
            "asks": asks,
            "automatic": reading.summary.automatic,
            "from": ", ".join(reading.summary.senders),
            "recipients": list(reading.summary.recipients),
            "subject": reading.summary.subject,
            "new_text": "\n".join(reading.letter.lines),
            "chat": reading.understood.chat,
            "defects": list(reading.letter.defects),
            "milliseconds": round(1000 * (process_time() - began), 1),
        }


def _answered(seen: HeaderSummary, writer: Player, match: Match | None, sent: str) -> OutboundMail:
    """The letter of ours that is answered: a turn, with the Message-ID that the answer names."""
    now = writer.created_at
    return OutboundMail(
        **{"kind": "turn", "player": writer, "match": match, "ply": match and 0, "text": sent},
        **{"created_at": now, "next_try_at": now, "message_id": next(iter(seen.correlates), "<sent>")},
    )


def _seat_address(match: Match) -> str:
    seat = match.seated[0]
    return sealed_address(Token(Purpose.MOVE, seat.pk, 0), seat.salt)


def _is_new(seen: HeaderSummary) -> bool:
    return not seen.is_reply and any(address.startswith(f"{PLAY}@") for address in seen.recipients)


def _said(command: Command_of_commands) -> dict[str, str]:
    text = command.text if isinstance(command, Move | Say) else command.line
    return {"verb": verb_of(command), "text": text}


def _reading(name: str, game: str | None, language: str, sent: str) -> dict[str, Any]:
    try:
        raw = _octets(name)
    except (OSError, ValueError) as mistake:  # ValueError: a NUL in the name
        nothing = dry_run(b"", game, language, sent)
        return nothing | {"verdict": Code.UNREADABLE, "defects": [f"no such letter: {_plain(str(mistake))}"]}
    return dry_run(raw, game, language, sent)


def _plain(name: str) -> str:
    """Returns a file name as text, even when its bytes are none."""
    return name.encode("utf-8", "replace").decode()


def _octets(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(LETTER + 1)
    with open(name, "rb") as file:
        return file.read(LETTER + 1)
