"""Shows Newgame as a scene: the stones, and the last move."""

from __future__ import annotations

from games.kit.scene import Mark, Piece, Scene
from games.protocol import Remark, Side
from games.scaffold.newgame.rules import Move, Position

STONES = (Piece("black", "dark"), Piece("white", "light"))


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    board = after.rules.board
    return Scene(
        shape="square",
        cells=board.scene_cells,
        pieces={cell: (STONES[side],) for side in Side for cell in board.cells(after.stones[side])},
        edges=board.scene_edges,
        men=STONES,
        to_move=None if after.outcome() else after.to_move,
        marks=(Mark("to", move.cell),) if move else (),
        changes=(Remark("puts", (move.cell,), (STONES[after.to_move.other].kind,)),) if move else (),
    )
