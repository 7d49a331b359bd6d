"""The board of TAMSK, 37 spaces that take one to four rings, and the moves.

A space is a letter and a number, counted from the beginning of its line. Sets of spaces are ints with the bits of
`LATTICE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.kit.scene import hexagon

LATTICE = hexagon("a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7")

BIT: Mapping[str, int] = {LATTICE.from_row_start(cell): bit for cell, bit in LATTICE.bit.items()}
NAME: Mapping[int, str] = {bit: name for name, bit in BIT.items()}
SPACES = tuple(BIT)  # a1 to a4, b1 to b5 and so on
LINES = tuple(tuple(map(LATTICE.from_row_start, row)) for row in LATTICE.rows)
PLACES: Mapping[str, tuple[float, float]] = {NAME[LATTICE.bit[c]]: at for c, at in LATTICE.places.items()}

RINGS = 32  # of each side
GLASSES = (("a1", "d7", "g1"), ("a4", "d1", "g4"))


def _capacity() -> Mapping[str, int]:
    """Returns the rings that each space takes: one more for each border around it."""
    takes, inner = dict.fromkeys(BIT, 0), LATTICE.full
    while inner:
        for bit in bits(inner):
            takes[NAME[bit]] += 1
        inner = LATTICE.enclosed(inner)
    return takes


def bits(cells: int) -> Iterator[int]:
    """Yields each space of a set."""
    while cells:
        bit = cells & -cells
        yield bit
        cells ^= bit


CAPACITY = _capacity()
BESIDE: Mapping[str, tuple[str, ...]] = {
    name: tuple(NAME[near] for near in bits(LATTICE.around(bit))) for name, bit in BIT.items()
}

_CANONICAL = re.compile(r"([a-g][1-7])-([a-g][1-7])")


@dataclass(frozen=True, slots=True)
class Move:
    """A glass goes from `origin` to `target`, where a ring is dropped; or `PASS`, without an origin."""

    origin: str
    target: str

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}" if self.origin else self.target


PASS = Move("", "pass")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if text == str(PASS):
        return PASS
    found = _CANONICAL.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not the canonical form of a move of TAMSK")
    return Move(found[1], found[2])
