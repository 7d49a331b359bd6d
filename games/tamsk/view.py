"""Shows a position of TAMSK as a scene: glasses, the places left in each space, the last move, rings in hand."""

from __future__ import annotations

from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side
from games.tamsk.board import LINES, PASS, PLACES, SPACES, Move
from games.tamsk.rules import Position

MEN = Piece("red", "red"), Piece("black", "dark")
RING = Piece("ring", "light", hollow=True)

LABEL_GAP = 0.75  # units between the end of a line and its label


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the move that led to it, if any."""
    changes, marks, arrows = _turn(move, after) if before and move else ((), (), ())
    return Scene(
        shape="ring",
        cells=tuple(Cell(name, *PLACES[name], free=after.takes(name)) for name in SPACES),
        pieces={name: (MEN[side],) for side in Side for name in after.glasses[side]},
        edges=tuple(
            Edge(line[end], dx, 0) for line in LINES for end, dx in ((0, -LABEL_GAP), (-1, LABEL_GAP))
        ),
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=tuple(Tray(side, ((RING, after.rings[side]),), held="hand") for side in Side),
        changes=changes,
        men=MEN,
    )


Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def _turn(move: Move, after: Position) -> Turn:
    if move == PASS:
        return (Remark("passes"),), (), ()
    ways = move.origin, move.target
    changes = Remark("moves", ways), Remark("drops" if after.takes(move.target) else "fills")
    return changes, (Mark("from", move.origin), Mark("to", move.target)), (Arrow(ways),)
