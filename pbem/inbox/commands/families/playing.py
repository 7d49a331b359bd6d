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
_LABEL = re.compile(r"(?:my |la mia |mia )?(?:move|mossa)\s?:\s*", re.IGNORECASE)
_AROUND = ("“”", "„“", "„”", "‘’", "«»", "»«", '""', "''", "()")  # quotation marks and brackets
# What a face is drawn with; and emoji, which need no blank before them.
_SMILES = re.compile(
    r"(?:\s+(?:[:;=8xX]['’]?-?[)(DPpOo/|*\]\[]|\^\^|<3|xD|XD)|\s*[\u203c-\u3299\U0001f000-\U0001faff\ufe0f]+)+\s*$"
)
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


def read_decorated_move(text: str, match: int | None, is_move: IsMove) -> Move | None:
    """A move alone on its line, in quotation marks or brackets, after "My move:", before a smile.

    Letters and digits it has to have: "(3)" counts something, and "pass :)" may be said of the weather.
    """
    bare = _SMILES.sub("", _LABEL.sub("", text.strip()[:_LONGEST_MOVE], count=1)).strip()
    if _DOUBTS.search(bare):
        return None
    bare = _SMILES.sub("", _inside(bare.rstrip(".!"))).strip()
    if bare == text.strip() or not re.search(r"[0-9]", bare) or not re.search(r"[^\W\d_]", bare):
        return None
    return read_move(bare, match, is_move)


def _inside(text: str) -> str:
    """Without the pair of signs around it, if there is one and it is the only one."""
    for first, last in map(tuple, _AROUND):
        within = text[1:-1]
        if len(text) > 2 and text[0] == first and text[-1] == last and not {first, last} & set(within):
            return within
    return text


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
