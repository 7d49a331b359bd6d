"""Shows Insert as a scene: the marks, the rings, and the cells allowed next."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from games.insert.board import BOARD, largest_group
from games.insert.rules import RINGS, Move, Position
from games.kit.scene import Cell, Lines, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side

PIECES = (Piece("white", "light", hollow=True), Piece("black", "dark", hollow=True))


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    over = after.outcome() is not None
    changes, marks = _turn(before, move) if before and move else ((), ())
    targets = () if over else tuple(Mark("target", cell) for cell in BOARD.cells(after.forced))
    return Scene(
        shape="square",
        cells=_cells(after),
        pieces={cell: (PIECES[side],) for side in Side for cell in BOARD.cells(after.rings[side])},
        edges=BOARD.scene_edges,
        to_move=None if over else after.to_move,
        marks=(*marks, *targets),
        trays=_trays(after),
        changes=changes,
        notes=(*(() if over else (_duty(after),)), _groups(after)),
        men=PIECES,
    )


def _cells(position: Position) -> tuple[Cell, ...]:
    marks = position.layout.at
    return tuple(replace(cell, lines=cast(Lines, marks[cell.name])) for cell in BOARD.scene_cells)


def _trays(position: Position) -> tuple[Tray, ...]:
    """Returns the rings left to place; captured ones are turned over, so they do not count."""
    white, black = (position.placed + 1) // 2, position.placed // 2
    left = zip(PIECES, (RINGS - white, RINGS - black), strict=True)
    return tuple(Tray(side, (ring,), "hand") for side, ring in zip(Side, left, strict=True))


def _duty(position: Position) -> Remark:
    """Says which cells must be played, or why all are allowed."""
    if position.forced:
        return Remark(position.line, tuple(BOARD.cells(position.forced)))
    return Remark("line_full" if position.last else "opening")


def _groups(position: Position) -> Remark:
    return Remark("groups", numbers=tuple(map(largest_group, position.rings)))


def _turn(before: Position, move: Move) -> tuple[tuple[Remark, ...], tuple[Mark, ...]]:
    mover = before.to_move
    placed = Remark("places", (move.cell,), (PIECES[mover].kind,))
    taken = tuple(BOARD.cells(before.captured(move)))
    if not taken:
        return (placed,), (Mark("to", move.cell),)
    theirs = PIECES[mover.other]
    turned = Remark("captures", taken, (theirs.kind,) * len(taken))
    return (placed, turned), (Mark("to", move.cell), *(Mark("captured", cell, theirs) for cell in taken))
