"""Shows Gemma as a scene: that of Lines of Action, with vanished squares."""

from __future__ import annotations

from dataclasses import replace

from games.gemma.rules import Position, Removal
from games.kit.scene import Mark, Scene
from games.lines_of_action import view as lines_of_action
from games.lines_of_action.board import Move
from games.protocol import Remark


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    removal = move if isinstance(move, Removal) else None
    seen = lines_of_action.scene(before, None if removal else move, after)
    gone = set(after.rules.board.cells(after.gone))
    cells = (replace(cell, ground="gone") if cell.name in gone else cell for cell in seen.cells)
    seen = replace(seen, cells=tuple(cells))
    return _with_removal(seen, removal, after) if removal else seen


def _with_removal(seen: Scene, removal: Removal, after: Position) -> Scene:
    man = lines_of_action.MEN[after.to_move.other]
    removes = Remark("removes", (removal.origin,), (man.kind,))
    return replace(seen, marks=(Mark("removed", removal.origin),), changes=(removes,))
