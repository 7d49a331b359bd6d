"""Hexagonal boards cut from the triangular lattice: names, neighbours, lines and connection.

A cell is a row letter and a number, `d4`; a set of cells is an int with one bit per cell. The
neighbours of (row, n) are, in cyclic order, (0, +1) (+1, +1) (+1, 0) (0, -1) (-1, -1) (-1, 0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import sqrt
from random import Random


class Hexagon:
    """A board and its tables; get one from `hexagon`, which makes each board once.

    Attributes: `rows` the cell names row by row, `bit` name to one-bit mask, `name` the inverse,
    `full` all cells, `jumps` one-bit mask -> {landing: cell jumped} (two steps along a line),
    `places` name -> (x, y), x to the right and y down, one unit between neighbours.
    """

    def __init__(self, rows: str) -> None:
        spans = [_span(row) for row in rows.split()]
        # One unused column at the end of each row, so that a step off the board hits no cell.
        stride = max(last for _, _, last in spans) + 1
        self.rows = tuple(
            tuple(f"{letter}{n}" for n in range(first, last + 1)) for letter, first, last in spans
        )
        self.bit: Mapping[str, int] = {
            name: 1 << (i * stride + int(name[1:]) - 1) for i, row in enumerate(self.rows) for name in row
        }
        self.name: Mapping[int, str] = {bit: name for name, bit in self.bit.items()}
        self.full = sum(self.bit.values())
        self._axes = (1, stride + 1, stride)  # from a cell to its neighbours right, below right, below
        self.jumps: Mapping[int, Mapping[int, int]] = {bit: self._jumps(bit) for bit in self.name}
        self.places = _places(self.rows)
        self._bits = tuple(self.name)
        self._skipped = {letter: first - 1 for letter, first, _ in spans}

    def names(self, cells: int) -> Iterator[str]:
        """The names of a set of cells, row by row."""
        return (name for name, bit in self.bit.items() if bit & cells)

    def pick(self, cells: int, rng: Random) -> int:
        """One cell of a set that is not empty, each equally likely.

        Throws at the whole board until it hits: quicker than listing the set.
        """
        bits = self._bits
        while True:
            bit = bits[int(rng.random() * len(bits))]
            if bit & cells:
                return bit

    def around(self, cells: int) -> int:
        """The cells beside a set, its own among them where they touch."""
        reached = 0
        for step in self._axes:
            reached |= cells << step | cells >> step
        return reached & self.full

    def connected(self, seeds: int, within: int) -> int:
        """All of `within` that a walk inside it reaches from `seeds`."""
        reached, grown = 0, seeds & within
        while grown != reached:
            reached, grown = grown, grown | self.around(grown) & within
        return reached

    def groups(self, cells: int) -> Iterator[int]:
        """The connected parts of a set."""
        while cells:
            group = self.connected(cells & -cells, cells)
            yield group
            cells ^= group

    def heads(self, first: int, second: int, third: int) -> int:
        """The cells of `first` with one of `second` beside and one of `third` right behind that."""
        found = 0
        for step in self._axes:
            found |= second >> step & third >> 2 * step | second << step & third << 2 * step
        return found & first

    def loose(self, cells: int) -> int:
        """Those of a set that can slide out of it: two consecutive sides have no cell of the set."""
        s, u, v = self._axes
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

    def from_row_start(self, name: str) -> str:
        """The name under which the first cell of each row is number 1 (d4 -> d4, e2 -> e1).

        Defined for names off the board too: `to_lattice` leads back from any.
        """
        return f"{name[0]}{int(name[1:]) - self._skipped.get(name[0], 0)}"

    def to_lattice(self, counted: str) -> str:
        """The inverse of `from_row_start`."""
        return f"{counted[0]}{int(counted[1:]) + self._skipped.get(counted[0], 0)}"

    def _jumps(self, bit: int) -> dict[int, int]:
        ways = [(bit << step, bit << 2 * step) for step in self._axes]
        ways += [(bit >> step, bit >> 2 * step) for step in self._axes]
        return {landing: over for over, landing in ways if over & self.full and landing & self.full}


@lru_cache(maxsize=64)
def hexagon(rows: str) -> Hexagon:
    """The board with these rows, each a letter and its numbers: `a1-4 b1-5 c1-6 ...`.

    Rows run down the alphabet without a gap, and numbers start at 1. Raises ValueError for what
    is not rows.
    """
    return Hexagon(rows)


def _span(row: str) -> tuple[str, int, int]:
    first, _, last = row[1:].partition("-")
    return row[0], int(first), int(last)


def _places(rows: tuple[tuple[str, ...], ...]) -> dict[str, tuple[float, float]]:
    """Each row lies half a cell to the left of the one above; the leftmost cell has x = 0."""
    leaning = {name: int(name[1:]) - i / 2 for i, row in enumerate(rows) for name in row}
    leftmost = min(leaning.values())
    return {name: (leaning[name] - leftmost, i * sqrt(3) / 2) for i, row in enumerate(rows) for name in row}
