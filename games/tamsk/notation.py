"""Reads and writes moves, alike in all languages: `a1-b2`, or `b2` where one glass alone can go there."""

from __future__ import annotations

import re
import unicodedata

from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove
from games.tamsk.board import PASS, Move
from games.tamsk.rules import Position

# Spaces just off the board are read, so that the answer can explain the mistake.
_SPACE = "[a-h] ?[0-9]"
_WRITTEN = re.compile(rf"(?:({_SPACE}) ?(?:->|[>:-])? ?)?({_SPACE})|(pass|passo|passa|--)")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u2192"), "------>", strict=True))
_LONGEST = 30  # characters


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    found = _WRITTEN.fullmatch(" ".join(plain.split()).rstrip(" .,;!")) if len(text) <= _LONGEST else None
    if not found:
        raise UnreadableMove(text)
    origin, target, passes = (part and part.replace(" ", "") for part in found.groups())
    move = PASS if passes else Move(origin, target) if origin else _arriving(position, target, text)
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _arriving(position: Position, target: str, text: str) -> Move:
    """Returns the only move to a space. Raises AmbiguousMove or IllegalMove."""
    if target in position.glasses[position.to_move] and (ways := position.targets(target)):
        raise IllegalMove(text, Objection("where_to", ways))
    arriving = [move for move in position.moves() if move.target == target]
    if len(arriving) > 1:
        raise AmbiguousMove(text, tuple(map(str, arriving)))
    if not arriving:
        why = Objection("finished") if position.outcome() else Objection("unreached", (target,))
        raise IllegalMove(text, why)
    return arriving[0]
