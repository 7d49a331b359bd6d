"""What is done at the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import GUARD, IsMove, Spoken, match_of, plain
from pbem.inbox.commands.verb import Verb, verb

_LONGEST_MOVE = 200
_DOUBTS = re.compile(r"(?<!!)\?$|\.\.$")  # "e4?" and "a2..." think aloud; "e4!?" is daring, and meant


@dataclass(frozen=True)
class Move(Command):
    """Plays your move; the word MOVE may be left out. With #12 after it, it is played only if it is
    still the 12th."""

    text: str
    match: int | None = None
    ply: int | None = None


@dataclass(frozen=True)
class Draw(Command):
    """Offers a draw. The offer stands until the next move."""

    match: int | None = None


@dataclass(frozen=True)
class Resign(Command):
    """Gives the match up. We ask you to confirm."""

    match: int | None = None
    confirms: ClassVar[bool] = True


def _move(said: Spoken) -> Move | None:
    """Where no move follows the number, the number is the move, as in Nim."""
    match, rest = match_of(said)
    if not rest:
        match, rest = said.match, said.rest
    return read_move(rest, match, said.is_move, attempt=True)


def read_move(text: str, match: int | None, is_move: IsMove, *, attempt: bool = False) -> Move | None:
    """A move, or after the word MOVE what only tries to be one: a single word with letters and digits."""
    written = plain(text).rstrip("!")
    if not written or len(written) > _LONGEST_MOVE or _DOUBTS.search(written):
        return None
    guard = GUARD.search(written)
    move = written[: guard.start()] if guard else written
    tried = attempt and re.fullmatch(r"(?=.*[0-9])(?=.*[^\W\d_])\S+", re.sub(r"\s*,\s*", ",", move))
    if not move or not (tried or is_move(move, match)):
        return None
    return Move(move, match, int(guard[1]) if guard else None)


def _draw(said: Spoken) -> Draw | None:
    match, rest = match_of(said)
    return None if rest else Draw(match)


def _resign(said: Spoken) -> Resign | None:
    match, rest = match_of(said)
    return None if rest else Resign(match)


VERBS: Sequence[Verb] = (
    verb(
        Move,
        _move,
        en=("MOVE", "[MOVE] [match] move[#number]"),
        it=(
            "MUOVO",
            "[MUOVO] [partita] mossa[#numero]",
            "Gioca la tua mossa; la parola MUOVO si può omettere. Con #12 in fondo viene giocata solo se"
            " è ancora la dodicesima.",
        ),
    ),
    verb(
        Draw,
        _draw,
        en=("DRAW", "DRAW [match]"),
        it=("PATTA", "PATTA [partita]", "Propone la patta. La proposta vale fino alla prossima mossa."),
    ),
    verb(
        Resign,
        _resign,
        en=("RESIGN", "RESIGN [match]"),
        it=("ABBANDONO", "ABBANDONO [partita]", "Abbandona la partita. Ti chiediamo conferma."),
    ),
)
