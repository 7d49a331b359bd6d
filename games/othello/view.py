"""Shows Othello as a scene: the discs, those just turned over, and the squares that may be played."""

from __future__ import annotations

from games.kit.scene import Mark, Piece, Scene
from games.othello.rules import PASS, Move, Position
from games.protocol import Remark, Side

DISCS = (Piece("black", "dark"), Piece("white", "light"))


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    board, over = after.rules.board, after.outcome() is not None
    changes, marks = _turn(before, move) if before and move else ((), ())
    targets = () if over else tuple(Mark("target", square) for square in board.cells(after.squares))
    return Scene(
        shape="square",
        cells=board.scene_cells,
        pieces={square: (DISCS[side],) for side in Side for square in board.cells(after.discs[side])},
        edges=board.scene_edges,
        to_move=None if over else after.to_move,
        marks=(*marks, *targets),
        changes=changes,
        notes=(Remark("discs", numbers=tuple(discs.bit_count() for discs in after.discs)),),
        men=DISCS,
    )


def _turn(before: Position, move: Move) -> tuple[tuple[Remark, ...], tuple[Mark, ...]]:
    if move == PASS:
        return (Remark("passes"),), ()
    mover = before.to_move
    placed = Remark("places", (move.square,), (DISCS[mover].kind,))
    turned = tuple(before.rules.board.cells(before.turned(move)))
    if not turned:
        return (placed,), (Mark("to", move.square),)
    theirs = Remark("turns", turned, (DISCS[mover.other].kind,) * len(turned))
    return (placed, theirs), (Mark("to", move.square), *(Mark("turned", square) for square in turned))
