"""A hint in words: where to look, or the move."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from random import Random

from games.kit.scene import Cell, Scene
from pbem.analysis.hints import MOVE
from pbem.outbox.rendering.board import Board

_NEAR = 1.5  # cells


@dataclass(frozen=True)
class Hint:
    """`move` as the reader writes it, or only a `cell`: one from which the move `starts`, or one beside it."""

    move: str = ""
    cell: str = ""
    starts: bool = False


def hint_of(board: Board, move: str, stage: int) -> Hint:
    """Of the board as it stands; `move` is canonical."""
    if stage >= MOVE:
        return Hint(board.write(move))
    game = board.match.game
    played = game.move(move)
    scene = game.scene(board.after, played, board.after.play(played))
    if scene.arrows:
        return Hint(cell=board.speech.label(scene.arrows[0].cells[0]), starts=True)
    return Hint(cell=board.speech.label(_beside(scene, Random(f"{board.match.pk} {board.ply}"))))


def _beside(scene: Scene, rng: Random) -> str:
    """A cell near the one that something comes to: the move itself is not told."""
    cells = {cell.name: cell for cell in scene.cells}
    targets = [cells[mark.cell] for mark in scene.marks if mark.kind == "to" and mark.cell in cells]
    near = [cell.name for cell in scene.cells if targets and 0 < _distance(cell, targets[0]) <= _NEAR]
    return rng.choice(near or list(cells))


def _distance(one: Cell, other: Cell) -> float:
    return hypot(one.x - other.x, one.y - other.y)
