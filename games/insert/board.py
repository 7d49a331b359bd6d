"""The board of Insert as bitboards: tiles, lines through a cell, captures, fives and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import isqrt
from random import Random

from games.kit.scene import SquareBoard

# Tiles. The publisher's tiles are not public. These have nine marks of each kind; no tile is a rotation of
# another or has three equal marks in a row or column. The upper two, in this order, make the cells that
# PerGioco newsletter 49 mentions.

Tile = tuple[str, ...]  # rows of marks, the top row first

SINGLE = "-|\\/"  # row, column, the diagonal from NW to SE, the one from NE to SW
DOUBLE = "+x"  # row and column, both diagonals

TILES: tuple[Tile, ...] = (
    ("/|/", "-||", "\\-/"),
    ("\\|-", "|\\/", "--\\"),
    ("/-|", "/-\\", "\\/|"),
    ("|-\\", "\\/|", "-\\/"),
)

# For the variant x+ (Marino Carpignano, 2023); newsletter 49 says that some of its 2x2 boards have cells with
# two lines. Eight marks of each single kind and two of each double one.
MINI_BOARDS: tuple[Tile, ...] = (
    ("|/", "\\-"),
    ("-|", "/\\"),
    ("/-", "|\\"),
    ("\\|", "-/"),
    ("-\\", "/|"),
    ("+/", "\\|"),
    ("|\\", "-+"),
    ("x-", "|/"),
    ("\\-", "/x"),
)

_TURNED = str.maketrans("-|\\/", "|-/\\")


@cache
def turn(tile: Tile) -> Tile:
    """Returns the tile and its lines after a clockwise quarter turn."""
    return tuple("".join(column).translate(_TURNED) for column in zip(*reversed(tile), strict=True))


def assemble(tiles: Sequence[Tile]) -> str:
    """Returns the marks of a square of tiles, row by row, the top row first."""
    across = isqrt(len(tiles))
    bands = (tiles[i : i + across] for i in range(0, len(tiles), across))
    return "".join("".join(row) for band in bands for row in zip(*band, strict=True))


def draw(tiles: Sequence[Tile], rng: Random) -> str:
    """Draws a random layout: tiles in any order and rotation, none turned over."""
    return assemble([_spun(tile, rng.randrange(4)) for tile in rng.sample(tiles, len(tiles))])


def _spun(tile: Tile, quarters: int) -> Tile:
    for _ in range(quarters):
        tile = turn(tile)
    return tile


BOARD = SquareBoard(6)
ALL = BOARD.full

# One step along the line of a mark, as a shift of bits: a row of the board has seven bits.
STEPS = dict(zip(SINGLE, (1, 7, 6, 8), strict=True))
CROSSED = dict(zip(DOUBLE, ("-|", "\\/"), strict=True))

_FIVES = tuple((step, 2 * step, 4 * step) for step in STEPS.values())

Walk = tuple[int, ...]  # successive cells up to the edge of the board


@dataclass(frozen=True)
class Layout:
    """The marks of the 36 cells in reading order: a6 to f6, and so on down to f1."""

    marks: str

    @cached_property
    def at(self) -> dict[str, str]:
        """Maps each cell name to its mark."""
        cells = (BOARD.names[bit] for row in reversed(BOARD.rows) for bit in row)
        return dict(zip(cells, self.marks, strict=True))

    @cached_property
    def lines(self) -> dict[int, int]:
        """Maps each cell to the cells on the lines of its mark; 0 (no cell) to none."""
        bits = BOARD.bits
        return {0: 0} | {bits[cell]: _marked(bits[cell], mark) for cell, mark in self.at.items()}


@lru_cache(maxsize=256)
def layout(marks: str) -> Layout:
    """Returns the layout with these marks, shared by all its positions."""
    return Layout(marks)


def captured(cell: int, mine: int, theirs: int) -> int:
    """Returns the rings captured by intrusion when a ring of `mine` is placed on `cell`.

    On each axis, both walks must lead to a ring of `theirs`, directly or over rings of `mine`.
    """
    taken = 0
    for ahead, behind in _WALKS[cell]:
        if (one := _stop(ahead, mine, theirs)) and (other := _stop(behind, mine, theirs)):
            taken |= one | other
    return taken


def five(men: int) -> bool:
    """Tells whether five of the men stand in an unbroken row, column or diagonal."""
    if men.bit_count() < 5:
        return False
    for one, two, four in _FIVES:
        pairs = men & men >> one
        if pairs & pairs >> two & men >> four:
            return True
    return False


def largest_group(men: int) -> int:
    """Returns the size of the largest group; only rows and columns connect."""
    largest = 0
    while men:
        group = _group(men)
        men ^= group
        largest = max(largest, group.bit_count())
    return largest


def _group(men: int) -> int:
    """Returns the group of the first man."""
    group, grown = 0, men & -men
    while grown != group:
        group = grown
        grown = (group | group << 1 | group >> 1 | group << 7 | group >> 7) & men
    return group


def _stop(walk: Walk, mine: int, theirs: int) -> int:
    """Returns the ring of `theirs` that ends a walk over `mine`. 0 when a gap or the edge does."""
    for cell in walk:
        if cell & theirs:
            return cell
        if not cell & mine:
            return 0
    return 0


def _walk(cell: int, step: int) -> Iterator[int]:
    while (cell := cell << step if step > 0 else cell >> -step) in BOARD.names:
        yield cell


@cache
def _marked(cell: int, mark: str) -> int:
    """Returns the cells on the lines of a mark on `cell`, across the board."""
    steps = [STEPS[line] for line in CROSSED.get(mark, mark)]
    return cell | sum(sum(_walk(cell, way)) for step in steps for way in (step, -step))


# Axes with an empty walk, from a cell at the edge, never capture and are left out.
_WALKS: dict[int, tuple[tuple[Walk, Walk], ...]] = {
    cell: tuple(
        (ahead, behind)
        for step in STEPS.values()
        if (ahead := tuple(_walk(cell, step))) and (behind := tuple(_walk(cell, -step)))
    )
    for cell in BOARD.names
}
