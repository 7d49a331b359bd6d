"""The board of GIPF: 37 spots, 24 dots around them, the ways in from the dots; and the turns.

A point is a letter and a number, counted from the lower end of its line. Sets of points are ints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from games.kit.scene import hexagon
from games.kit.turn import Turn, turn

LATTICE = hexagon("a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9")
_NAMES = {cell: LATTICE.from_row_start(cell) for cell in LATTICE.bit}
BIT: Mapping[str, int] = {name: LATTICE.bit[cell] for cell, name in _NAMES.items()}
NAME: Mapping[int, str] = {bit: name for name, bit in BIT.items()}
PLACES: Mapping[str, tuple[float, float]] = {name: LATTICE.places[cell] for cell, name in _NAMES.items()}

SPOTS = LATTICE.enclosed(LATTICE.full)
DOTS = LATTICE.full & ~SPOTS
LINES = tuple(tuple(row) for _, row in groupby(BIT, key=lambda name: name[0]))  # a1 to a5 and so on
ROW = 4  # pieces of one colour side by side


def shifted(points: int, step: int) -> int:
    return points << step if step > 0 else points >> -step


def bits(points: int) -> Iterator[int]:
    """Yields the points of a set, each as a set."""
    while points:
        bit = points & -points
        yield bit
        points ^= bit


def names(points: int) -> Iterator[str]:
    return map(NAME.__getitem__, bits(points))


def _way(bit: int, step: int) -> tuple[int, ...]:
    following = shifted(bit, step)
    return (following, *_way(following, step)) if following & SPOTS else ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A way in from a dot: the spots of its line, the one that is entered first, and the shift from one to the next."""

    dot: int
    step: int
    spots: tuple[int, ...]


ENTRIES = tuple(
    Entry(dot, step, spots)
    for dot in bits(DOTS)
    for step in (*LATTICE.axes, *(-step for step in LATTICE.axes))
    if (spots := _way(dot, step))
)
EDGE = {entry.spots[0] for entry in ENTRIES}  # the spots that can be entered

# For each axis, the line of spots on which a spot lies.
_LINE_OF = {
    (step, spot): sum(entry.spots)
    for entry in ENTRIES
    for step in LATTICE.axes
    if step == abs(entry.step)
    for spot in entry.spots
}


def rows(own: int, occupied: int) -> Iterator[tuple[int, int]]:
    """Yields the line of each row of one's own, and all pieces joined to it on this line, of both colours."""
    for step in LATTICE.axes:
        firsts = own & own >> step
        firsts &= firsts >> 2 * step
        done = 0
        for first in bits(firsts):
            line = _LINE_OF[step, first]
            if line & done:
                continue
            done |= line
            run, there = first, occupied & line
            while (grown := (run | run << step | run >> step) & there) != run:
                run = grown
            yield line, run


# Turns

_POINT = "[a-i][1-9]"
_REMOVAL, _ACTION = re.compile(rf"{_POINT}(?:,{_POINT})*"), re.compile(rf"G?{_POINT}(?:-{_POINT})?")


def listed(spots: int) -> tuple[str, ...]:
    """Returns the removal of these spots as a part of a turn. Empty when there are none."""
    return (",".join(names(spots)),) if spots else ()


def spots_of(removals: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of the spots that are emptied, as they are written."""
    return tuple(name for part in removals for name in part.split(","))


def move(text: str) -> Turn:
    """Parses a canonical move. Raises ValueError for any other text."""
    made = turn(text.split(";"))
    removals = (*made.before, *made.after)
    if (
        len(made.before) > 1
        or len(made.after) > 1
        or not all(
            _REMOVAL.fullmatch(part) and sorted({*part.split(",")}) == part.split(",") for part in removals
        )
        or not (_ACTION.fullmatch(made.action) or (made.before and not made.action))
    ):
        raise ValueError(f"{text!r} is not the canonical form of a move of GIPF")
    return made
