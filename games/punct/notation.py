"""Reads and writes the turns of PÜNCT: `f3/f4/g5`, the PÜNCT first, `a5-h5/g4/g5`; what is missing is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.kit.turn import tidy
from games.protocol import IllegalMove, Notation, Objection, UnreadableMove
from games.punct.board import BIT, EACH, PLACEMENTS, Move, named
from games.punct.rules import Position

# Cells just off the board are read, so that the answer can explain the mistake.
_CELL = r"[a-r] ?\d{1,2}(?!\d)"
_TURN = re.compile(
    rf"(?:(?P<kind>[{''.join(EACH).lower()}]) ?:? ?(?=[a-r]))?"
    rf"(?P<first>{_CELL})(?:(?P<to> ?(?:->|[>-]) ?)|[ /,;+]{{0,3}})?"
    rf"(?P<others>(?:{_CELL}(?:[ /,;+-]{{0,3}}(?=[a-r])|$)){{0,3}})"
)
_NAME = re.compile(_CELL)
_LONGEST = 60  # characters
MOST = 12  # choices that are told


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move, completed where there is one way only. Raises UnreadableMove or IllegalMove."""
    found = _TURN.fullmatch(tidy(text, _LONGEST))
    if not found:
        raise UnreadableMove(text)
    kind = (found["kind"] or "").upper()
    cells = [name.replace(" ", "") for name in (found["first"], *_NAME.findall(found["others"]))]
    move = _move(position, kind, cells, moved=bool(found["to"]))
    if isinstance(move, Objection):
        raise IllegalMove(text, move)
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _move(position: Position, kind: str, cells: Sequence[str], moved: bool) -> Move | Objection:
    """Returns the turn that is written, legal or not, or what is wrong or missing."""
    if position.outcome():
        return Objection("finished")
    if strange := [name for name in cells if name not in BIT]:
        return Objection("no_cell", (strange[0],))
    lifts = not any(position.to_lift(cells[0]))
    moved = moved or len(cells) > 3 or (lifts and len(cells) == 2)
    origin, lying = (cells[0], cells[1:]) if moved else ("", cells)
    if moved and (objection := next(position.to_lift(origin), None)):
        return objection
    if (moved and not lying) or (lifts and len(cells) == 1 and not kind):
        return Objection("where_to", (cells[0],))
    if len(lying) == 3:
        return _whole(kind, origin, tuple(lying))
    return _chosen(position, kind, origin, lying)


def _whole(kind: str, origin: str, names: tuple[str, ...]) -> Move | Objection:
    lies = PLACEMENTS.get("/".join(named(names)))
    if not lies:
        return Objection("no_shape", names)
    if kind and kind != lies.kind:
        return Objection("other_shape", names, (lies.kind,))
    return Move(origin, str(lies))


def _chosen(position: Position, kind: str, origin: str, lying: Sequence[str]) -> Move | Objection:
    """Returns the only turn with these dots, the first being the PÜNCT, or asks which one is meant."""
    lifted = position.top(origin) if origin else None
    stock = position.stock(position.to_move)
    kinds = [lifted.lies.kind] if lifted else [one for one in EACH if stock[one]]
    turns = [
        Move(origin, text)
        for text, lies in PLACEMENTS.items()
        if lies.names[0] == lying[0] and {*lying} <= {*lies.names} and lies.kind in (kind or kinds)
    ]
    if not turns:
        return Objection("no_shape", tuple(lying))
    legal = [move for move in turns if not position.objection(move)]
    if len(legal) > MOST:
        fitting = {PLACEMENTS[move.target].kind for move in legal}
        return Objection("which_piece", tuple(f"{one} {lying[0]}" for one in EACH if one in fitting))
    if len(legal) > 1:
        return Objection("how", tuple(map(str, legal)))
    return legal[0] if legal else turns[0]
