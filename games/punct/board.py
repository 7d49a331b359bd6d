"""The board of PÜNCT, 211 cells, and every way in which a piece can lie on it; the turns.

A piece is three dots, and one of them is its PÜNCT. Sets of cells are ints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games.kit.scene import hexagon

LATTICE = hexagon(
    "a2-8 b1-10 c1-11 d1-12 e1-13 f1-14 g1-15 h1-16 i2-16 j2-17 k3-17 l4-17 m5-17 n6-17 o7-17 p8-17 q10-16"
)
BIT, NAME = LATTICE.bit, LATTICE.name


def _within(cells: int, steps: int) -> int:
    return _within(cells | LATTICE.around(cells), steps - 1) if steps else cells


CENTRE = _within(BIT["i9"], 2)


def _sides() -> tuple[tuple[int, int], ...]:
    """Returns the three pairs of opposite sides, of seven cells each."""
    rows, (top, bottom) = LATTICE.rows, (LATTICE.rows[0], LATTICE.rows[-1])
    left, right = (sum(BIT[row[end]] for row in rows[1:8]) for end in (0, -1))
    lower_left, lower_right = (sum(BIT[row[end]] for row in rows[9:16]) for end in (0, -1))
    return (
        (sum(BIT[name] for name in top), sum(BIT[name] for name in bottom)),
        (left, lower_right),
        (right, lower_left),
    )


SIDES = _sides()


@dataclass(frozen=True, eq=False, slots=True)
class Placement:
    """A way to lie: the three cells by name, the PÜNCT first, and as sets.

    The ends carry the piece, and the middle may hang as a bridge; a triangle has three ends.
    """

    kind: str
    names: tuple[str, ...]
    punct: int
    cells: int
    middle: int

    @property
    def ends(self) -> int:
        return self.cells & ~self.middle

    def __str__(self) -> str:
        return "/".join(self.names)


# The kinds of pieces: how many of each a side has.
# T: triangle. C, E: straight, the PÜNCT in the centre or at an end. M, L, R: an angle, the PÜNCT in the middle, or at
# the end from which the piece turns clockwise (L) or the other way (R).
EACH: Mapping[str, int] = {"T": 6, "C": 2, "E": 4, "M": 2, "L": 2, "R": 2}
PIECES = sum(EACH.values())

_RIGHT, _BELOW_RIGHT, _BELOW = LATTICE.axes
_WAYS = (_RIGHT, _BELOW_RIGHT, _BELOW, -_RIGHT, -_BELOW_RIGHT, -_BELOW)  # clockwise


def _shifted(cell: int, step: int) -> int:
    return cell << step if step > 0 else cell >> -step


def _steps() -> Iterator[tuple[str, int, int, int]]:
    """Yields each kind in each direction: the steps from the PÜNCT to both other dots, and to the middle one.

    The step to the middle of a triangle is that to no cell.
    """
    nowhere = LATTICE.full.bit_length()
    for number, way in enumerate(_WAYS):
        before, after, wide = (_WAYS[(number + turn) % 6] for turn in (-1, 1, 2))
        yield "T", way, after, nowhere
        if way > 0:
            yield "C", way, -way, 0
        yield "E", way, 2 * way, way
        yield "M", way, wide, 0
        yield "L", way, way + after, way
        yield "R", way, way + before, way


def named(names: Sequence[str]) -> tuple[str, ...]:
    """Puts the names of three cells, the PÜNCT first, in the order in which they are written."""
    return (names[0], *sorted(names[1:], key=lambda name: (name[0], int(name[1:]))))


def _all() -> Iterator[Placement]:
    for kind, one, other, middle in _steps():
        for punct in NAME:
            dots = _shifted(punct, one), _shifted(punct, other)
            if all(dot in NAME for dot in dots):
                names = named((NAME[punct], *map(NAME.__getitem__, dots)))
                yield Placement(kind, names, punct, punct | sum(dots), _shifted(punct, middle) & LATTICE.full)


PLACEMENTS: Mapping[str, Placement] = {str(placement): placement for placement in _all()}
OF_KIND: Mapping[str, tuple[Placement, ...]] = {
    kind: tuple(placement for placement in PLACEMENTS.values() if placement.kind == kind) for kind in EACH
}


@cache
def in_line(punct: int) -> int:
    """Returns the cells in a straight line with a cell, and itself."""
    found = punct
    for way in _WAYS:
        cell = _shifted(punct, way)
        while cell in NAME:
            found |= cell
            cell = _shifted(cell, way)
    return found


@cache
def reached(kind: str, punct: int) -> tuple[Placement, ...]:
    """Returns how a piece can lie after its PÜNCT has gone along a straight line, or stayed."""
    line = in_line(punct)
    return tuple(placement for placement in OF_KIND[kind] if placement.punct & line)


# Turns


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `f3/f4/g5` places a piece, `a5-h5/g4/g5` moves the one with its PÜNCT on a5."""

    origin: str
    target: str

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}" if self.origin else self.target


_CANONICAL = re.compile(r"(?:([a-q]\d{1,2})-)?([a-q/\d]+)")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    found = _CANONICAL.fullmatch(text)
    if not found or (found[1] or "a2") not in BIT or found[2] not in PLACEMENTS:
        raise ValueError(f"{text!r} is not the canonical form of a move of PÜNCT")
    return Move(found[1] or "", found[2])
