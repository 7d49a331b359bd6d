"""Reads and writes moves: `b2`, the cell, in every language."""

from __future__ import annotations

import re
import unicodedata

from games.protocol import IllegalMove, Notation, UnreadableMove
from games.scaffold.newgame.rules import Move, Position

_CANONICAL = re.compile("[a-z][1-9][0-9]?")
_WRITTEN = re.compile("([a-z]) ?([1-9][0-9]?)")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a canonical move")
    return Move(text)


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove or IllegalMove."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .,;!")
    found = _WRITTEN.fullmatch(plain)
    if not found:
        raise UnreadableMove(text)
    move = Move(found[1] + found[2])
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move, in the same way for every language."""
    return str(move)
