"""Reads and writes the turns of YINSH, alike in all languages: `e3`, `h7-g7`, `xc7-g7;xd5;b5-b2;xb3-b7;xb2`."""

from __future__ import annotations

import re

from games.kit.turn import Turn, tidy, turn
from games.protocol import IllegalMove, Notation, UnreadableMove
from games.yinsh.board import PASS, ordered
from games.yinsh.rules import Position

# Points just off the board are read, so that the answer can explain the mistake.
_POINT = "[a-l](?:1[0-2]|[0-9])(?![0-9])"
_PART = re.compile(rf"(x ?)?({_POINT})(?:((?(1)-?| ?(?:->|[>-])? ?))({_POINT}))?")
_APART = re.compile(r" ?[;,/&]? ?")
_PASSES = {"pass", "passo"}


def read(position: Position, text: str, notation: Notation) -> Turn:
    """Reads a legal move, completed where there is one way only. Raises UnreadableMove or IllegalMove."""
    move = _shape(text)
    objection = position.objection(move)
    if not objection:
        return position.same(move)
    first, second = (*position.fitting(move), None, None)[:2]
    if first is None or second is not None:
        raise IllegalMove(text, objection)
    return first


def write(position: Position, move: Turn, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _shape(text: str) -> Turn:
    """Reads a move, legal or not. Raises UnreadableMove."""
    plain, parts, at = tidy(text), list[str](), 0
    if plain in _PASSES:
        return PASS
    while at < len(plain):
        found = _PART.match(plain, at)
        if not found:
            raise UnreadableMove(text)
        removed, one, _, other = found.groups()
        ends = sorted((one, other), key=_place) if removed and other else [one, other]
        parts.append(("x" if removed else "") + "-".join(filter(None, ends)))
        apart = _APART.match(plain, found.end())
        at = apart.end() if apart else found.end()
    try:
        made = turn(parts)
    except ValueError:
        raise UnreadableMove(text) from None
    return Turn(ordered(made.before), made.action, ordered(made.after))


def _place(name: str) -> tuple[str, int]:
    return name[0], int(name[1:])
