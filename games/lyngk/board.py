"""The board of LYNGK, 43 points of a triangular lattice, its set-up, pieces and turns.

A point is a letter and a number, counted from the lower end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from games.kit.scene import hexagon

LATTICE = hexagon("a3-3 b2-5 c1-7 d2-7 e2-8 f3-8 g3-9 h5-8 i7-7")

POINTS = tuple(map(LATTICE.from_row_start, LATTICE.bit))  # a1, b1 to b4, c1 to c7 and so on
INDEX = {name: index for index, name in enumerate(POINTS)}
LINES = tuple(tuple(map(LATTICE.from_row_start, row)) for row in LATTICE.rows)
PLACES: Mapping[str, tuple[float, float]] = dict(zip(POINTS, LATTICE.places.values(), strict=True))

COLOURS = "IBRGK"  # ivory, blue, red, green, black
JOKER = "J"
EACH: Mapping[str, int] = {**dict.fromkeys(COLOURS, 8), JOKER: 3}


def _rays() -> tuple[tuple[tuple[int, ...], ...], ...]:
    at = {("abcdefghi".index(cell[0]), int(cell[1:])): index for index, cell in enumerate(LATTICE.bit)}

    def ray(x: int, n: int, dx: int, dn: int) -> tuple[int, ...]:
        following = (x + dx, n + dn)
        return (at[following], *ray(*following, dx, dn)) if following in at else ()

    ways = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    return tuple(tuple(filter(None, (ray(x, n, *way) for way in ways))) for x, n in at)


# For each point, the points in each direction, the nearest first, up to the edge.
RAYS = _rays()


def draw(rng: Random) -> str:
    """Draws a set-up: all pieces in the order of `POINTS`."""
    pieces = "".join(piece * count for piece, count in EACH.items())
    return "".join(rng.sample(pieces, len(pieces)))


_CANONICAL = re.compile(r"(?:([IBRGK]),)?([a-i][1-7])-([a-i][1-7])")


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `c1-c2` puts a stack on another, `I,c1-c2` claims ivory before; or `PASS`, without an origin."""

    claim: str
    origin: str
    target: str

    def __str__(self) -> str:
        way = f"{self.origin}-{self.target}" if self.origin else self.target
        return f"{self.claim},{way}" if self.claim else way


PASS = Move("", "", "pass")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if text == str(PASS):
        return PASS
    found = _CANONICAL.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not the canonical form of a move of LYNGK")
    return Move(found[1] or "", found[2], found[3])
