"""Shows Lines of Action as a scene: the men, the last move and the number of groups of both sides."""

from __future__ import annotations

from games.kit.scene import Arrow, Mark, Piece, Scene
from games.lines_of_action.board import Move
from games.lines_of_action.rules import Position
from games.protocol import Remark, Side

MEN = {Side.FIRST: Piece("black", "dark"), Side.SECOND: Piece("white", "light")}


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    board = after.rules.board
    mover = after.to_move.other
    return Scene(
        shape="square",
        cells=board.scene_cells,
        pieces={cell: (MEN[side],) for side in Side for cell in board.cells(after.men[side])},
        edges=board.scene_edges,
        men=(MEN[Side.FIRST], MEN[Side.SECOND]),
        to_move=None if after.outcome() else after.to_move,
        marks=_marks(move, mover) if move else (),
        arrows=(Arrow((move.origin, move.target)),) if move and move.origin else (),
        changes=_changes(move, mover) if move else (),
        notes=(Remark("groups", numbers=tuple(board.groups(men) for men in after.men)),),
    )


def _marks(move: Move, mover: Side) -> tuple[Mark, ...]:
    if not move.origin:
        return ()
    marks = (Mark("from", move.origin), Mark("to", move.target))
    return (*marks, Mark("captured", move.target, MEN[mover.other])) if move.capture else marks


def _changes(move: Move, mover: Side) -> tuple[Remark, ...]:
    if not move.origin:
        return (Remark("passes"),)
    slid = Remark("moves", (move.origin, move.target), (MEN[mover].kind,))
    taken = Remark("captures", (move.target,), (MEN[mover.other].kind,))
    return (slid, taken) if move.capture else (slid,)
