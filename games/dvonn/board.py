"""The board of DVONN, 49 points of a triangular lattice, its set-ups, and the moves.

A point is a letter, the slanting line on which it lies, and the number of its row. Sets of points are ints with
the bits of `BOARD`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Literal

from games.kit.scene import hexagon

BOARD = hexagon("a1-3 b1-4 c1-5 d1-5 e1-5 f1-5 g1-5 h1-5 i1-5 j2-5 k3-5")
POINTS = tuple(sorted(BOARD.bit, key=lambda name: (name[1], name[0])))  # a1 to i1, a2 to j2 and so on
CENTRE = "f3"

REDS, MEN = 3, 23  # DVONN-pieces; pieces of each side
PIECES = "wbr"

WAYS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # in letters and rows
LONGEST = 10  # points from one end of row 3 to the other


def _place(name: str) -> tuple[int, int]:
    return "abcdefghijk".index(name[0]), int(name[1])


_AT = {_place(name): name for name in POINTS}
# For each point and height, the points at that distance in a straight line.
TARGETS: Mapping[tuple[str, int], tuple[str, ...]] = {
    (name, height): tuple(
        _AT[there] for dx, dy in WAYS if (there := (x + dx * height, y + dy * height)) in _AT
    )
    for (x, y), name in _AT.items()
    for height in range(1, LONGEST + 1)
}
# On the plane, with row 5 on top; `places` of a hexagon has its letters there.
PLACES: Mapping[str, tuple[float, float]] = {
    name: (x - (y - 3) / 2, (5 - y) * sqrt(3) / 2) for (x, y), name in _AT.items()
}


# Set-ups: the pieces in the order of `POINTS`

Setup = Literal["played", "random", "symmetric"]


def draw(setup: Setup, rng: Random) -> str:
    """Draws a set-up. Empty when the players place the pieces themselves."""
    match setup:
        case "played":
            return ""
        case "random":
            return "".join(rng.sample(all_pieces := "r" * REDS + "wb" * MEN, len(all_pieces)))
        case "symmetric":
            return _symmetric(rng)


def _symmetric(rng: Random) -> str:
    """Draws a red piece for the centre and for two points opposite each other, a white one opposite each black one."""
    drawn = {CENTRE: "r"}
    half = POINTS[: len(POINTS) // 2]
    red = rng.choice(half)
    for name in half:
        pair = "rr" if name == red else rng.choice(("wb", "bw"))
        drawn |= zip((name, POINTS[-1 - POINTS.index(name)]), pair, strict=True)
    return "".join(map(drawn.__getitem__, POINTS))


# Moves

_CANONICAL = re.compile(r"(?:([a-k][1-5])-)?([a-k][1-5])")


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `f3` places a piece, `f3-g4` moves a stack, and `PASS`. `origin` is empty unless a stack moves."""

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
        raise ValueError(f"{text!r} is not the canonical form of a move of DVONN")
    return Move(found[1] or "", found[2])
