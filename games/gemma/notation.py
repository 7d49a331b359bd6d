"""Reads moves: those of Lines of Action, and `xa1` for the removal of a man."""

from __future__ import annotations

import re

from games.gemma.rules import Position, Removal
from games.lines_of_action import notation as lines_of_action
from games.lines_of_action.board import Move
from games.lines_of_action.notation import plain, shape
from games.protocol import IllegalMove, Notation

_CANONICAL = re.compile(r"x([a-z][1-9][0-9]?)")
_WRITTEN = re.compile(r"[x×]\s*([a-z])\s*([1-9][0-9]?)[\s.,;!]*")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    removed = _CANONICAL.fullmatch(text)
    return Removal(removed[1]) if removed else lines_of_action.move(text)


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move, in any language. Raises UnreadableMove or IllegalMove."""
    removed = _WRITTEN.fullmatch(plain(text))
    move = Removal(removed[1] + removed[2]) if removed else shape(position, text)
    objection = position.objection(move)
    if objection:
        raise IllegalMove(text, objection)
    return move
