"""Reads letters by the start of a game, without a database: for tests of the language part alone."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, Notation, Position, UnreadableMove
from games.registry import AnyGame, find
from pbem.inbox.commands.command import Say
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.parser import understand
from pbem.inbox.commands.set_apart import with_what_is_answered, with_wrapped
from pbem.inbox.commands.verbs import verb_of
from pbem.inbox.interpretation import UNSEARCHED, not_understood, unanswered
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.reply_text import talk
from pbem.players.tokens import PLAY
from pbem.refusals import Code


@dataclass(frozen=True)
class Board:
    """The start of a game; its move reader decides which lines are moves."""

    game: AnyGame
    position: Position
    notation: Notation

    @classmethod
    def of(cls, name: str, language: str) -> Board:
        """The start of a game, with a fixed draw for random setups."""
        game, rules = find(name)
        setup = game.draw_setup(rules, Random(0)) if game.draw_setup else ""
        return cls(game, game.start(rules, setup), Notation(language))

    def is_move(self, text: str, number: int | None) -> bool:
        """Whether the text has the form of a move, legal or not."""
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

    def written(self, text: str) -> str:
        """A move as the game reads it."""
        try:
            self.game.read(self.position, text, self.notation)
        except UnreadableMove:
            return lenient_parser.as_written(self.game, text, self.notation)
        except (AmbiguousMove, IllegalMove):
            return text
        return text


def read_on(
    board: Board | None, raw: bytes, *, language: str = "en", sent: str | None = None, own_domain: str = ""
) -> dict[str, Any]:
    """Reads a letter. Without a `board` no line is a move; `sent` is the letter of ours that it answers."""
    mail = ParsedMail(raw, own_domain=own_domain)
    mail = mail.inside or mail
    seen, letter = mail.summary, with_what_is_answered(read_letter(mail, sent=sent))
    to_play = any(address.startswith(f"{PLAY}@") for address in seen.recipients)
    is_new = sent is None and not seen.is_reply and to_play
    understood = understand(
        with_wrapped(letter.lines, letter.wrapped),
        subject=seen.subject if is_new else None,
        language=language,
        is_move=board.is_move if board else lambda text, number: False,
        match=None if is_new else 0,
        legal=board.legal if board and not is_new else None,
    )
    refused = letter.verdict if letter.verdict in UNSEARCHED else None
    verdict = refused or unanswered(seen, letter) or not_understood(letter, understood)
    acts = understood.commands if verdict in (None, Code.SEVERAL_MOVES) else ()
    asks = understood.asks if verdict in (None, Code.NO_MOVE_FOUND) else ()

    def plain(commands: Any) -> list[dict[str, str]]:
        return [{"verb": verb_of(command), "text": text_of(command)} for command in commands]

    def text_of(command: Any) -> str:
        if board and isinstance(command, Move):
            return board.written(command.text)
        return str(command.text if isinstance(command, Move | Say) else command.line)

    return {
        "verdict": verdict,
        "commands": plain(acts),
        "asks": plain(asks),
        "automatic": seen.automatic,
        "from": ", ".join(seen.senders),
        "subject": seen.subject,
        "new_text": "\n".join(letter.lines),
        "chat": "\n".join(talk(understood.chat.split("\n"))),
    }
