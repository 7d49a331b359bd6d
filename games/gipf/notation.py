"""Reads and writes the turns of GIPF, alike in all languages: `e2`, `Ge1-e4`, `xb3,c3,d3,e3,f2;g1-g4`."""

from __future__ import annotations

import re

from games.gipf.board import BIT, DOTS, ENTRIES
from games.gipf.rules import Position
from games.kit.turn import Turn, tidy, turn
from games.protocol import IllegalMove, Notation, UnreadableMove

# Points just off the board are read, so that the answer can explain the mistake.
_POINT = "[a-j] ?[0-9](?![0-9])"
_LISTED = rf"{_POINT}(?: ?\*)?(?! ?(?:->|[>-]))"  # a star marks a GIPF-piece
_PART = re.compile(
    rf"x ?(?P<gone>{_LISTED}(?:(?: ?, ?| ){_LISTED})*)?"
    rf"|(?P<kind>[gn]?) ?(?P<one>{_POINT})(?: ?(?:->|[>-])? ?(?P<other>{_POINT}))?"
)
_APART = re.compile(r" ?[;,/&]? ?")
_NAME = re.compile(_POINT)


def read(position: Position, text: str, notation: Notation) -> Turn:
    """Reads a legal move, completed where there is one way only. Raises UnreadableMove or IllegalMove."""
    move = _shape(position, text)
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


def _shape(position: Position, text: str) -> Turn:
    """Reads a move, legal or not. Raises UnreadableMove."""
    plain, parts, at = tidy(text), list[str](), 0
    while at < len(plain):
        found = _PART.match(plain, at)
        if not found:
            raise UnreadableMove(text)
        if found["one"]:
            parts.append(_action(position, *found.group("kind", "one", "other")))
        elif found["gone"]:
            gone = (name.replace(" ", "") for name in _NAME.findall(found["gone"]))
            parts.append(f"x{','.join(sorted(set(gone)))}")
        elif not parts:
            raise UnreadableMove(text)  # without a list, only behind the action
        apart = _APART.match(plain, found.end())
        at = apart.end() if apart else found.end()
    try:
        return turn(parts)
    except ValueError:
        raise UnreadableMove(text) from None


def _action(position: Position, kind: str, one: str, other: str | None) -> str:
    """Returns what is brought in; an empty spot is enough, whichever dot is written before it."""
    gipf, origin, target = "G" if kind == "g" else "", one.replace(" ", ""), (other or "").replace(" ", "")
    if not target:
        return f"{gipf}{origin}"
    beside = any(
        entry.dot == BIT.get(origin) and entry.spots[0] == BIT.get(target) and entry.dot & DOTS
        for entry in ENTRIES
    )
    return f"{gipf}{target}" if beside and not position.on(target) else f"{gipf}{origin}-{target}"
