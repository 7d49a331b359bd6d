"""The board of TZAAR, 60 points of a triangular lattice around a hole, its set-ups, pieces and turns.

A point is a letter and a number, counted from the lower end of its line without the hole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from games.kit.scene import hexagon

LATTICE = hexagon("a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9")
HOLE = "e5"

TYPES = "ZAT"  # Tzaars, Tzarras, Totts; White's are capitals in texts of positions
EACH: Mapping[str, int] = {"Z": 6, "A": 9, "T": 15}


def _counted(name: str) -> str:
    """Renames a cell of the lattice: numbers begin at the lower end of the line and leave out the hole."""
    below = name[0] == HOLE[0] and int(name[1:]) > int(HOLE[1:])
    return f"{name[0]}{int(LATTICE.from_row_start(name)[1:]) - below}"


_NAMES = {name: _counted(name) for name in LATTICE.bit if name != HOLE}
POINTS = tuple(_NAMES.values())  # a1 to a5, b1 to b6 and so on
INDEX = {name: index for index, name in enumerate(POINTS)}
PLACES: Mapping[str, tuple[float, float]] = {name: LATTICE.places[cell] for cell, name in _NAMES.items()}


def _rays() -> tuple[tuple[tuple[int, ...], ...], ...]:
    at = {("abcdefghi".index(cell[0]), int(cell[1:])): INDEX[name] for cell, name in _NAMES.items()}

    def ray(x: int, n: int, dx: int, dn: int) -> tuple[int, ...]:
        following = (x + dx, n + dn)
        return (at[following], *ray(*following, dx, dn)) if following in at else ()

    ways = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    return tuple(tuple(filter(None, (ray(x, n, *way) for way in ways))) for x, n in at)


# For each point, the points in each direction, the nearest first, up to the edge or the hole.
RAYS = _rays()


# Set-ups: the pieces in the order of `POINTS`

Setup = Literal["fixed", "random", "free"]

_TYPES = "TTTTT TAAAAT TAZZZAT TAZTTZAT TAZTTZAT TAZTTZAT TAZZZAT TAAAAT TTTTT"
_COLOURS = "bbbbw wbbbww wwbbwww wwwbwwww wwwwbbbb bbbbwbbb bbbwwbb bbwwwb bwwww"
FIXED = "".join(
    kind if colour == "w" else kind.lower() for kind, colour in zip(_TYPES, _COLOURS, strict=True)
).replace(" ", "")


def draw(setup: Setup, rng: Random) -> str:
    """Draws a set-up. Empty where it is always the same, or where the players place the pieces."""
    if setup != "random":
        return ""
    pieces = "".join(kind * count + kind.lower() * count for kind, count in EACH.items())
    return "".join(rng.sample(pieces, len(pieces)))


# Turns

Action = tuple[str, str, str]  # an origin, `x` for a capture or `+` for a stacking, and a target
_ACTION = re.compile(r"([a-i][1-8])([x+])([a-i][1-8])")
_PLACING = re.compile(r"([ZAT])([a-i][1-8])")


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `Zc4` places a Tzaar; `e1xe4`, `e1xe4,d3xd6` and `e1xe4,d3+d2` capture, and then capture or stack."""

    actions: tuple[Action, ...] = ()
    placed: str = ""  # the type of a piece that is placed
    point: str = ""

    def __str__(self) -> str:
        return f"{self.placed}{self.point}" or ",".join(map("".join, self.actions))


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if placing := _PLACING.fullmatch(text):
        return Move(placed=placing[1], point=placing[2])
    found = [_ACTION.fullmatch(part) for part in text.split(",")]
    if len(found) > 2 or not all(found) or found[0][2] == "+":  # type: ignore[index]
        raise ValueError(f"{text!r} is not the canonical form of a move of TZAAR")
    return Move(tuple((part[1], part[2], part[3]) for part in found if part))
