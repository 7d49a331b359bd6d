"""The board of YINSH, 85 points of a triangular lattice, and rows of five on it.

A point is a letter and a number. Sets of points are ints with the bits of `BOARD`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.kit.scene import hexagon
from games.kit.turn import Turn, turn

BOARD = hexagon("a2-5 b1-7 c1-8 d1-9 e1-10 f2-10 g2-11 h3-11 i4-11 j5-11 k7-10")
POINTS = tuple(BOARD.bit)

RINGS, MARKERS = 5, 51  # rings of each side; markers in all
ROW = 5  # markers of a row


def _ray(bit: int, step: int) -> tuple[int, ...]:
    after = bit << step if step > 0 else bit >> -step
    return (after, *_ray(after, step)) if after & BOARD.full else ()


_STEPS = (*BOARD.axes, *(-step for step in BOARD.axes))
# For each point, the points in each direction, the nearest first.
RAYS = {bit: tuple(filter(None, (_ray(bit, step) for step in _STEPS))) for bit in BOARD.name}


def bits(points: int) -> Iterator[int]:
    """Yields the points of a set, each as a set."""
    while points:
        bit = points & -points
        yield bit
        points ^= bit


def rows(markers: int) -> Iterator[int]:
    """Yields each five adjacent markers in line. Those of a longer run overlap."""
    for step in BOARD.axes:
        firsts = markers & markers >> step & markers >> 2 * step
        firsts &= firsts >> 2 * step
        for first in bits(firsts):
            yield first | first << step | first << 2 * step | first << 3 * step | first << 4 * step


def row_name(row: int) -> str:
    """Returns both ends of a row, as in `b3-b7`."""
    return f"{BOARD.name[row & -row]}-{BOARD.name[1 << row.bit_length() - 1]}"


_ROW_OF = {row_name(row): row for row in rows(BOARD.full)}


def row_of(name: str) -> int:
    """Returns the five points of a row. 0 when the name is none of five points."""
    return _ROW_OF.get(name, 0)


def reached(origin: int, rings: int, markers: int) -> Iterator[tuple[int, int]]:
    """Yields where a ring comes to, and the markers that it passes on the way."""
    for ray in RAYS[origin]:
        passed = 0
        for point in ray:
            if point & markers:
                passed |= point
            elif point & rings:
                break
            else:
                yield point, passed
                if passed:
                    break


# Turns

PASS = Turn(action="pass")
_POINT = "[a-k](?:1[01]|[1-9])"
_REMOVAL, _ACTION = re.compile(rf"{_POINT}(?:-{_POINT})?"), re.compile(rf"{_POINT}(?:-{_POINT})?|pass")


def ordered(removals: Iterator[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Sorts removals: first rows, then rings, each by their points."""
    return tuple(sorted(removals, key=lambda name: ("-" not in name, *map(_place, name.split("-")))))


def _place(name: str) -> tuple[str, int]:
    return name[0], int(name[1:])


def move(text: str) -> Turn:
    """Parses a canonical move. Raises ValueError for any other text."""
    made = turn(text.split(";"))
    removals = (*made.before, *made.after)
    parted = [
        *zip(made.before, ordered(made.before), strict=True),
        *zip(made.after, ordered(made.after), strict=True),
    ]
    if (
        not all(map(_REMOVAL.fullmatch, removals))
        or not (_ACTION.fullmatch(made.action) or (made.before and not made.action))
        or any(one != other for one, other in parted)
    ):
        raise ValueError(f"{text!r} is not the canonical form of a move of YINSH")
    return made
