"""Reads and writes the turns of DVONN, alike in all languages: `f3` places a piece, `f3-g4` moves a stack."""

from __future__ import annotations

import re
import unicodedata

from games.dvonn.board import PASS, Move
from games.dvonn.rules import Position
from games.protocol import IllegalMove, Notation, UnreadableMove

# Points just off the board are read, so that the answer can explain the mistake.
_POINT = r"([a-l]) ?([0-9])"
_WRITTEN = re.compile(rf"(?:{_POINT} ?(?:->|[>:x-])? ?)?{_POINT}")
_PASSES = {"pass", "passo"}
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7\u2192"), "------x>", strict=True))
_LONGEST = 40  # characters


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove or IllegalMove."""
    move = _shape(text)
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _shape(text: str) -> Move:
    """Reads a move, legal or not. Raises UnreadableMove."""
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    tidy = " ".join(plain.split()).rstrip(" .,;!")
    if tidy in _PASSES:
        return PASS
    found = _WRITTEN.fullmatch(tidy)
    if not found:
        raise UnreadableMove(text)
    letter, number, *target = found.groups()
    return Move(f"{letter}{number}" if letter else "", "".join(target))
