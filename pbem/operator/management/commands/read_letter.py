"""Shows how letters are read, one JSON object for each, without effect."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, Notation, Position, UnknownName, UnreadableMove
from games.registry import AnyGame, find
from pbem.inbox.commands import Command as Command_of_commands
from pbem.inbox.commands import Understood, understand
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.set_apart import with_what_is_answered, with_wrapped
from pbem.inbox.commands.talking.grammar import Say
from pbem.inbox.commands.words import verb_of
from pbem.inbox.verdicts import not_understood, unanswered, unsearched
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.letter import Letter, read_letter, text_of_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import LETTER
from pbem.mail.parsing.reply_text import talk
from pbem.players.names import LANGUAGES
from pbem.players.tokens import PLAY
from pbem.refusals import Code

# Reading on trial, without a database

_CLOSE = (
    Code.AMBIGUOUS_MOVE,
    Code.SEVERAL_MOVES,
)  # commands were understood, but the player has to be asked which is meant
_ANSWERED = 0  # the number of the match that a reply is about


@dataclass(frozen=True)
class Board:
    """The start of a game; its move reader decides which lines are moves."""

    game: AnyGame
    position: Position
    notation: Notation

    @classmethod
    def of(cls, name: str, language: str) -> Board:
        """Returns the start of a game, with a fixed draw for random setups. Raises UnknownName."""
        game, rules = find(name)
        setup = game.draw_setup(rules, Random(0)) if game.draw_setup else ""
        return cls(game, game.start(rules, setup), Notation(language))

    def is_move(self, text: str, number: int | None) -> bool:
        """Tells whether the text has the form of a move, legal or not."""
        try:
            lenient_parser.parse(self.game, self.position, text, self.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    @property
    def legal(self) -> LegalMoves:
        return LegalMoves(self.game, self.position, self.notation)

    def is_written(self, text: str) -> bool:
        """Tells whether the notation reads the text unchanged."""
        try:
            self.game.read(self.position, text, self.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    def is_ambiguous(self, text: str) -> bool:
        try:
            lenient_parser.parse(self.game, self.position, text, self.notation)
        except AmbiguousMove:
            return True
        except (UnreadableMove, IllegalMove):
            return False
        return False


def on_trial(
    raw: bytes, *, board: Board | None, language: str, sent: str | None, own_domain: str
) -> dict[str, Any]:
    """Returns the output of `manage.py read_letter` as plain values; `verdict` is None when it would be
    carried out.

    Without a `board` no line is a move. `sent` is the text of the letter that is answered, if known.
    """
    mail = ParsedMail(raw, own_domain=own_domain)
    mail = mail.inside or mail
    seen, letter = mail.summary, with_what_is_answered(read_letter(mail, sent=sent))
    subject = seen.subject if sent is None and _is_new(seen) else None
    understood = understand(
        with_wrapped(letter.lines, letter.wrapped),
        subject=subject,
        language=language,
        is_move=board.is_move if board else _never,
        match=None if subject is not None else _ANSWERED,
        legal=board.legal if board and subject is None else None,
    )
    verdict = _verdict(seen, letter, understood, board)
    acts = understood.commands if verdict in (None, *_CLOSE) else ()
    return {
        "verdict": verdict,
        "commands": [_plain_dry_run(command, board) for command in acts],
        "asks": [
            _plain_dry_run(command, board)
            for command in (understood.asks if verdict in (None, Code.NO_MOVE_FOUND) else ())
        ],
        "automatic": seen.automatic,
        "from": ", ".join(seen.senders),
        "recipients": list(seen.recipients),
        "subject": seen.subject,
        "new_text": "\n".join(letter.lines),
        "chat": "\n".join(talk(understood.chat.split("\n"))),
        "defects": list(letter.defects),
    }


def _verdict(seen: HeaderSummary, letter: Letter, understood: Understood, board: Board | None) -> str | None:
    verdict = unsearched(letter) or unanswered(seen, letter) or not_understood(letter, understood)
    moves = [command.text for command in understood.commands if isinstance(command, Move)]
    if verdict is None and board and any(map(board.is_ambiguous, moves)):
        return Code.AMBIGUOUS_MOVE
    return verdict


def _is_new(seen: HeaderSummary) -> bool:
    return not seen.is_reply and any(address.startswith(f"{PLAY}@") for address in seen.recipients)


def _never(text: str, number: int | None) -> bool:
    return False


def _plain_dry_run(command: Command_of_commands, board: Board | None) -> dict[str, str]:
    """Returns the verb, with the move as the game reads it, the message, or the line as written."""
    text = command.text if isinstance(command, Move | Say) else command.line
    if board and isinstance(command, Move) and not board.is_written(text):
        text = lenient_parser.as_written(board.game, text, board.notation)
    return {"verb": verb_of(command), "text": text}


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
        on_trial(_FIRST, **known)  # imports and caches, which would count for the first letter
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
    """Returns a file name as text, even when its bytes are none."""
    return name.encode("utf-8", "replace").decode()


def _octets(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(LETTER + 1)
    with open(name, "rb") as file:
        return file.read(LETTER + 1)
