"""The scene of a position: cells, pieces, marks, arrows and trays, without sentences.

A game's `scene(before, move, after)` makes one; `text`, `image`, `svg` and `words` show it. Cells lie on a
plane with x to the right and y down, one unit between neighbouring cells (on a hexagonal board the rows are
sqrt(3)/2 apart and shifted by half a unit).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from games.values import Remark, Side

Shape = Literal["square", "ring"]
Ground = Literal["plain", "shaded", "gone"]  # gone: a removed ring or a vanished square
Lines = Literal["", "-", "|", "\\", "/", "+", "x"]
Look = Literal["light", "grey", "dark"]
MarkKind = Literal["from", "to", "captured", "removed", "target"]


@dataclass(frozen=True)
class Cell:
    """One place of the board, under its canonical name.

    `lines` are printed on it, below the pieces: a line through its middle, or two that cross.
    """

    name: str
    x: float
    y: float
    ground: Ground = "plain"
    lines: Lines = ""


@dataclass(frozen=True)
class Piece:
    """A piece: `kind` is a key of the phrases' `pieces` table, `look` its colour.

    A hollow piece is a ring that shows what is printed below it. A `glyph`, one character such as a solid
    chessman, is drawn instead of a disc. A `hatch` is a trapdoor.
    """

    kind: str
    look: Look
    hollow: bool = False
    glyph: str = ""
    hatch: bool = False


@dataclass(frozen=True)
class Mark:
    """A mark on a cell. A `captured` mark carries the captured piece."""

    kind: MarkKind
    cell: str
    piece: Piece | None = None


@dataclass(frozen=True)
class Arrow:
    """The path of the last move through its cells, start first."""

    cells: tuple[str, ...]


@dataclass(frozen=True)
class Tray:
    """Pieces beside the board, with counts: the pool (`owner` None), a side's captures, or its own in hand or
    lost.
    """

    owner: Side | None
    pieces: tuple[tuple[Piece, int], ...]
    held: Literal["captured", "hand", "lost"] = "captured"


@dataclass(frozen=True)
class Edge:
    """A coordinate label beside `cell` in the direction (dx, dy); values beyond 1 place it further out.

    `part` selects the whole displayed name of the cell, its letter or its number.
    """

    cell: str
    dx: float
    dy: float
    part: Literal["name", "letter", "number"] = "name"


@dataclass(frozen=True)
class Scene:
    """A position to show. `to_move` is None when the game is over.

    `pieces` maps a cell to its stack, bottom first. `changes` say what the last move did, in order; `notes`
    give other facts about the position, except the goal and the side to move. `men` are the pieces of the
    first and the second side, if each has its own.
    """

    shape: Shape
    cells: tuple[Cell, ...]
    pieces: Mapping[str, tuple[Piece, ...]]
    edges: tuple[Edge, ...]
    to_move: Side | None
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    trays: tuple[Tray, ...] = ()
    changes: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()
    men: tuple[Piece, Piece] | None = None

    @cached_property
    def chequered(self) -> bool:
        return is_chequered(self.shape, self.cells)

    def flipped(self) -> Scene:
        """Returns the scene seen from the other side of the board; coordinates stay on their sides."""
        xs, ys = [cell.x for cell in self.cells], [cell.y for cell in self.cells]
        across, down = min(xs) + max(xs), min(ys) + max(ys)
        cells = tuple(replace(cell, x=across - cell.x, y=down - cell.y) for cell in self.cells)
        before = {(cell.x, cell.y): cell.name for cell in self.cells}
        opposite = {cell.name: before.get((cell.x, cell.y), cell.name) for cell in cells}
        edges = tuple(replace(edge, cell=opposite[edge.cell]) for edge in self.edges)
        return replace(self, cells=cells, edges=edges)


def is_chequered(shape: Shape, cells: Iterable[Cell]) -> bool:
    """Tells whether squares touch at corners only, like the dark squares of a draughts board."""
    places = {(cell.x, cell.y) for cell in cells}
    return shape == "square" and not any((x + 1, y) in places or (x, y + 1) in places for x, y in places)
