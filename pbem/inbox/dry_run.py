"""Reads a letter on trial: what would become of it, without a database, and nothing is done."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from games import spoken
from games.errors import AmbiguousMove, IllegalMove, UnreadableMove
from games.protocol import Notation, Position
from games.registry import AnyGame, find
from pbem.inbox.commands import Command, Understood, understand
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.set_apart import with_what_is_answered, with_wrapped
from pbem.inbox.commands.talking.grammar import Say
from pbem.inbox.commands.words import verb_of
from pbem.inbox.verdicts import not_understood, unanswered, unsearched
from pbem.mail.parsing.headers import Glance
from pbem.mail.parsing.letter import Letter, read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.trim_signature import talk
from pbem.players.tokens import PLAY
from pbem.refusals import Code

_CLOSE = (
    Code.AMBIGUOUS_MOVE,
    Code.SEVERAL_MOVES,
)  # commands were understood, but which is meant has to be asked
_ANSWERED = 0  # stands for the number of the match that a reply is about


@dataclass(frozen=True)
class Board:
    """Where a game begins; its move reader decides which lines are moves."""

    game: AnyGame
    position: Position
    notation: Notation

    @classmethod
    def of(cls, name: str, language: str) -> Board:
        """Where lots are drawn, always the same. Raises UnknownName."""
        game, rules = find(name)
        setup = game.draw_setup(rules, Random(0)) if game.draw_setup else ""
        return cls(game, game.start(rules, setup), Notation(language))

    def is_move(self, text: str, number: int | None) -> bool:
        """Whether it has the shape of one, legal or not."""
        try:
            spoken.read(self.game, self.position, text, self.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    @property
    def legal(self) -> LegalMoves:
        return LegalMoves(self.game, self.position, self.notation)

    def is_written(self, text: str) -> bool:
        """Whether the notation reads it as it is."""
        try:
            self.game.read(self.position, text, self.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    def is_ambiguous(self, text: str) -> bool:
        try:
            spoken.read(self.game, self.position, text, self.notation)
        except AmbiguousMove:
            return True
        except (UnreadableMove, IllegalMove):
            return False
        return False


def on_trial(
    raw: bytes, *, board: Board | None, language: str, sent: str | None, own_domain: str
) -> dict[str, Any]:
    """What `manage.py read_letter` prints, all of it plain values; `verdict` None: it would be acted on.

    Without a `board` no line is a move. `sent` is the text of the letter answered, when known.
    """
    mail = ParsedMail(raw, own_domain=own_domain)
    mail = mail.inside or mail
    seen, letter = mail.glance, with_what_is_answered(read_letter(mail, sent=sent))
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
        "commands": [_plain(command, board) for command in acts],
        "asks": [
            _plain(command, board)
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


def _verdict(seen: Glance, letter: Letter, understood: Understood, board: Board | None) -> str | None:
    verdict = unsearched(letter) or unanswered(seen, letter) or not_understood(letter, understood)
    moves = [command.text for command in understood.commands if isinstance(command, Move)]
    if verdict is None and board and any(map(board.is_ambiguous, moves)):
        return Code.AMBIGUOUS_MOVE
    return verdict


def _is_new(seen: Glance) -> bool:
    return not seen.is_reply and any(address.startswith(f"{PLAY}@") for address in seen.recipients)


def _never(text: str, number: int | None) -> bool:
    return False


def _plain(command: Command, board: Board | None) -> dict[str, str]:
    """Its verb, and the move as the game was given it, the message, or the line as it was written."""
    text = command.text if isinstance(command, Move | Say) else command.line
    if board and isinstance(command, Move) and not board.is_written(text):
        text = spoken.as_written(board.game, text, board.notation)
    return {"verb": verb_of(command), "text": text}
