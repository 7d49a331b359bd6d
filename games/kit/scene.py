"""The scene of a position, without sentences, and the hexagonal and square boards that it lies on.

A game's `scene(before, move, after)` makes a scene; `text`, `image`, `svg` and `words` show it. Cells lie on a
plane with x to the right and y down, one unit between neighbouring cells (on a hexagonal board the rows are
sqrt(3)/2 apart and shifted by half a unit).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import dist, sqrt
from random import Random
from typing import Literal

from games.values import Remark, Side

Shape = Literal["square", "ring", "point"]  # points are crossings of lines, drawn between neighbours
Ground = Literal["plain", "shaded", "gone"]  # gone: a removed ring or a vanished square
Lines = Literal["", "-", "|", "\\", "/", "+", "x"]
Look = Literal["light", "pale", "grey", "dark", "red"]
Figure = Literal["", "dot", "ring"]  # what a disc bears: a dot in the middle, or a dot in a ring
MarkKind = Literal["from", "to", "captured", "turned", "removed", "target", "hint"]
CLOSE = 0.01  # units that rounding makes of none


@dataclass(frozen=True)
class Cell:
    """One place of the board, under its canonical name.

    `lines` are printed on it, below the pieces: a line through its middle, or two that cross. A ring that takes
    several things tells how many are `free`, which are dots on it; without any it is closed. No line joins two `outer`
    points, which are not part of the play area.
    """

    name: str
    x: float
    y: float
    ground: Ground = "plain"
    lines: Lines = ""
    free: int | None = None
    outer: bool = False


@dataclass(frozen=True)
class Piece:
    """A piece: `kind` is a key of the phrases' `pieces` table, `look` its colour.

    A hollow piece is a ring that shows what is printed below it. A `glyph`, one character such as a solid
    chessman, is drawn instead of a disc. A `hatch` is a trapdoor. A `crown` is drawn on the disc of a king. Discs of
    one colour differ in their `figure`. A `small` piece fits into a ring. A `double` one is two discs.
    """

    kind: str
    look: Look
    hollow: bool = False
    glyph: str = ""
    hatch: bool = False
    figure: Figure = ""
    crown: bool = False
    small: bool = False
    double: bool = False


@dataclass(frozen=True)
class Mark:
    """A mark on a cell. A `captured` mark carries the captured piece; `turned` is a piece that changed sides."""

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
    lost; or the colours that it has `claimed`, and that are left.
    """

    owner: Side | None
    pieces: tuple[tuple[Piece, int], ...]
    held: Literal["captured", "hand", "lost", "claimed"] = "captured"


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

    `pieces` maps a cell to its stack, bottom first. `counted` stacks show their top piece and their height, and
    whether they hold a `badge` below it; `lettered` ones show the letters of all their pieces. `changes` say what the
    last move did, in order; `notes` give other facts about the position, except the goal and the side to move. `men`
    are the pieces of the first and the second side, if each has its own.
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
    counted: bool = False
    lettered: bool = False
    badge: Piece | None = None

    def badged(self, cell: str) -> Piece | None:
        """Returns the badge of a counted stack. None when the stack does not hold one below its top."""
        return self.badge if self.counted and self.badge in self.pieces.get(cell, ())[:-1] else None

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


def segments(cells: Iterable[Cell]) -> Iterator[tuple[str, str]]:
    """Yields the names of each two neighbouring places, one unit apart, once; not of two outer ones."""
    order = list(cells)
    for number, one in enumerate(order):
        for other in order[number + 1 :]:
            if not (one.outer and other.outer) and abs(dist((one.x, one.y), (other.x, other.y)) - 1) < CLOSE:
                yield one.name, other.name


def is_chequered(shape: Shape, cells: Iterable[Cell]) -> bool:
    """Tells whether squares touch at corners only, like the dark squares of a draughts board."""
    places = {(cell.x, cell.y) for cell in cells}
    return shape == "square" and not any((x + 1, y) in places or (x, y + 1) in places for x, y in places)


# Hexagonal boards, cut from the triangular lattice. A set of cells is an int with one bit per cell; a cell is
# a row letter and a number, `d4`. The neighbours of (row, n) are, in cyclic order, (0, +1) (+1, +1) (+1, 0)
# (0, -1) (-1, -1) (-1, 0).


class Hexagon:
    """A hexagonal board and its tables; `hexagon` makes each board once.

    Attributes: `rows` the cell names row by row, `bit` name to one-bit mask, `name` the inverse, `full` all
    cells, `axes` the shifts from a cell to three of its neighbours, right, below right and below, `jumps` one-bit
    mask -> {landing: cell jumped} (two steps along a line), `places` name -> (x, y), x to the right and y down, one
    unit between neighbours.
    """

    def __init__(self, rows: str) -> None:
        spans = [_span(row) for row in rows.split()]
        # An unused column at the end of each row: a step off the board reaches no cell.
        stride = max(last for _, _, last in spans) + 1
        self.rows = tuple(
            tuple(f"{letter}{n}" for n in range(first, last + 1)) for letter, first, last in spans
        )
        self.bit: Mapping[str, int] = {
            name: 1 << (i * stride + int(name[1:]) - 1) for i, row in enumerate(self.rows) for name in row
        }
        self.name: Mapping[int, str] = {bit: name for name, bit in self.bit.items()}
        self.full = sum(self.bit.values())
        self.axes = (1, stride + 1, stride)  # from a cell to its neighbours right, below right, below
        self.jumps: Mapping[int, Mapping[int, int]] = {bit: self._jumps(bit) for bit in self.name}
        self.places = _places(self.rows)
        self._bits = tuple(self.name)
        self._skipped = {letter: first - 1 for letter, first, _ in spans}

    def names(self, cells: int) -> Iterator[str]:
        """Yields the names of a set of cells, row by row."""
        return (name for name, bit in self.bit.items() if bit & cells)

    def pick(self, cells: int, rng: Random) -> int:
        """Draws one cell of a set uniformly. The set must not be empty."""
        # rejection sampling on the whole board is faster than listing the set
        bits = self._bits
        while True:
            bit = bits[int(rng.random() * len(bits))]
            if bit & cells:
                return bit

    def around(self, cells: int) -> int:
        """Returns the neighbours of a set, including its own cells that touch others of the set."""
        reached = 0
        for step in self.axes:
            reached |= cells << step | cells >> step
        return reached & self.full

    def connected(self, seeds: int, within: int) -> int:
        """Returns the cells of `within` connected to `seeds` inside it."""
        reached, grown = 0, seeds & within
        while grown != reached:
            reached, grown = grown, grown | self.around(grown) & within
        return reached

    def groups(self, cells: int) -> Iterator[int]:
        """Yields the connected parts of a set."""
        while cells:
            group = self.connected(cells & -cells, cells)
            yield group
            cells ^= group

    def heads(self, first: int, second: int, third: int) -> int:
        """Returns the cells of `first` with a cell of `second` beside and one of `third` right behind it."""
        found = 0
        for step in self.axes:
            found |= second >> step & third >> 2 * step | second << step & third << 2 * step
        return found & first

    def loose(self, cells: int) -> int:
        """Returns the cells that can slide out of a set: two consecutive neighbours are not in the set."""
        s, u, v = self.axes
        right, below_right, below = ~(cells >> s), ~(cells >> u), ~(cells >> v)
        left, above_left, above = ~(cells << s), ~(cells << u), ~(cells << v)
        return cells & (
            right & below_right
            | below_right & below
            | below & left
            | left & above_left
            | above_left & above
            | above & right
        )

    def enclosed(self, cells: int) -> int:
        """Returns the cells of a set with six neighbours in it."""
        s, u, v = self.axes
        return cells & (cells >> s) & (cells << s) & (cells >> u) & (cells << u) & (cells >> v) & (cells << v)

    def from_row_start(self, name: str) -> str:
        """Renames a cell so that the first cell of each row is number 1 (d4 -> d4, e2 -> e1).

        Names off the board are allowed too; `to_lattice` is the inverse.
        """
        return f"{name[0]}{int(name[1:]) - self._skipped.get(name[0], 0)}"

    def to_lattice(self, counted: str) -> str:
        """Inverts `from_row_start`."""
        return f"{counted[0]}{int(counted[1:]) + self._skipped.get(counted[0], 0)}"

    def _jumps(self, bit: int) -> dict[int, int]:
        ways = [(bit << step, bit << 2 * step) for step in self.axes]
        ways += [(bit >> step, bit >> 2 * step) for step in self.axes]
        return {landing: over for over, landing in ways if over & self.full and landing & self.full}


@lru_cache(maxsize=64)
def hexagon(rows: str) -> Hexagon:
    """Returns the board with these rows, each a letter and its numbers: `a1-4 b1-5 c1-6 ...`.

    Rows follow the alphabet without a gap; numbers start at 1. Raises ValueError for malformed rows.
    """
    return Hexagon(rows)


def _span(row: str) -> tuple[str, int, int]:
    first, _, last = row[1:].partition("-")
    return row[0], int(first), int(last)


def _places(rows: tuple[tuple[str, ...], ...]) -> dict[str, tuple[float, float]]:
    """Places each row half a cell to the left of the one above; the leftmost cell has x = 0."""
    leaning = {name: int(name[1:]) - i / 2 for i, row in enumerate(rows) for name in row}
    leftmost = min(leaning.values())
    return {name: (leaning[name] - leftmost, i * sqrt(3) / 2) for i, row in enumerate(rows) for name in row}


# Square boards

Line = tuple[int, ...]  # the bits of its cells, in order


@dataclass(frozen=True)
class SquareBoard:
    """A board of `size` x `size` cells.

    a1 is the lowest bit; a row has `size + 1` bits, so shifts need no mask: the spare column holds no cell. The last
    row is on top, as in chess, or the first one if rows are numbered `downwards`.
    """

    size: int
    downwards: bool = False

    @cached_property
    def bits(self) -> dict[str, int]:
        """Maps each cell name to its bit: a1, b1, ... upwards."""
        size, stride = self.size, self.size + 1
        return {_name(x, y): 1 << x + y * stride for y in range(size) for x in range(size)}

    @cached_property
    def names(self) -> dict[int, str]:
        """Maps each bit to its cell name."""
        return {bit: name for name, bit in self.bits.items()}

    @cached_property
    def full(self) -> int:
        """Returns all cells."""
        return sum(self.names)

    @cached_property
    def rows(self) -> tuple[Line, ...]:
        """Returns the rows from the first up, each from column a."""
        bits, size = tuple(self.bits.values()), self.size
        return tuple(bits[y * size : (y + 1) * size] for y in range(size))

    @cached_property
    def shown(self) -> tuple[Line, ...]:
        """Returns the rows from the top down."""
        return self.rows if self.downwards else self.rows[::-1]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Returns the rows, columns and diagonals of two or more cells, each once."""
        rows, size = self.rows, self.size
        rising = (
            tuple(rows[y][y + shift] for y in range(size) if 0 <= y + shift < size)
            for shift in range(2 - size, size - 1)
        )
        falling = (
            tuple(rows[y][total - y] for y in range(size) if 0 <= total - y < size)
            for total in range(1, 2 * size - 2)
        )
        return (*rows, *zip(*rows, strict=True), *rising, *falling)

    def cells(self, mask: int) -> Iterator[str]:
        """Yields the names of the cells in `mask`, a1 first."""
        while mask:
            bit = mask & -mask
            yield self.names[bit]
            mask ^= bit

    def group(self, men: int, seed: int) -> int:
        """Returns the men connected to `seed`, orthogonally or diagonally. `seed` is a subset of `men`."""
        stride = self.size + 1
        while True:
            wide = seed | seed << 1 | seed >> 1
            grown = (wide | wide << stride | wide >> stride) & men
            if grown == seed:
                return seed
            seed = grown

    def connected(self, men: int) -> bool:
        """Tells whether the men form at most one group."""
        return self.group(men, men & -men) == men

    def groups(self, men: int) -> int:
        """Counts the groups of the men."""
        count = 0
        while men:
            men ^= self.group(men, men & -men)
            count += 1
        return count

    def write(self, layers: Mapping[str, int]) -> str:
        """Writes the board as in chess, the top row first: `2o1/xxxx/4/4`. A layer is a letter and its cells."""
        letters = {cell: letter for letter, mask in layers.items() for cell in self.cells(mask)}
        rows = ("".join(letters.get(self.names[bit], " ") for bit in row) for row in self.shown)
        return "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)

    def read(self, text: str, letters: str) -> tuple[int, ...]:
        """Reads the cells of each letter from the format of `write`. Raises ValueError for any other text."""
        rows = [re.sub("[0-9]{1,2}", lambda gap: " " * int(gap[0]), row) for row in text.split("/")]
        if [len(row) for row in rows] != [self.size] * self.size:
            raise ValueError(f"{text!r} is not {self.size} rows of {self.size} cells")
        placed = list(zip("".join(rows), chain(*self.shown), strict=True))
        masks = tuple(sum(bit for found, bit in placed if found == letter) for letter in letters)
        if self.write(dict(zip(letters, masks, strict=True))) != text:
            raise ValueError(f"{text!r} has more than the letters {letters!r} and gaps")
        return masks

    @cached_property
    def scene_cells(self) -> tuple[Cell, ...]:
        """Returns the cells of a scene, chequered, with the lower left one shaded."""
        foot = self.size - 1
        return tuple(
            Cell(self.names[bit], x, y, "plain" if (x + foot - y) % 2 else "shaded")
            for y, row in enumerate(self.shown)
            for x, bit in enumerate(row)
        )

    @cached_property
    def scene_edges(self) -> tuple[Edge, ...]:
        """Returns the coordinates: letters below the lowest row, numbers to the left of the first column."""
        letters = (Edge(self.names[bit], 0, 1, "letter") for bit in self.shown[-1])
        numbers = (Edge(self.names[row[0]], -1, 0, "number") for row in self.rows)
        return (*letters, *numbers)


def _name(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"
