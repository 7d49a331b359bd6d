"""Reads and writes moves: the square, `d3`, or `pass`."""

from __future__ import annotations

import re
import unicodedata

from games.othello.rules import PASS, Move, Position
from games.protocol import IllegalMove, Notation, UnreadableMove

_CANONICAL = re.compile("[a-z][1-9][0-9]?|pass")
_WRITTEN = re.compile(r"(?:([a-z]) ?([1-9][0-9]?)|pass|passo|passa|--)[ .,;!]*")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_LONGEST = 20  # characters


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a canonical move")
    return Move(text)


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move, in any language. Raises UnreadableMove or IllegalMove."""
    move = _shape(text, position.rules.size)
    objection = position.objection(move)
    if objection:
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move, in the same way for every language."""
    return str(move)


def _shape(text: str, size: int) -> Move:
    """Reads a move, legal or not; squares just off the board are moves too, so that the answer can explain the
    mistake. Raises UnreadableMove.
    """
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text).translate(_INVISIBLE).casefold()
    found = _WRITTEN.fullmatch(" ".join(plain.split()))
    if not found:
        raise UnreadableMove(text)
    column, row = found.groups()
    if not column:
        return PASS
    if max(ord(column) - ord("a") + 1, int(row)) > size + 1:
        raise UnreadableMove(text)
    return Move(column + row)
