"""A chessboard as bitboards: moves of the men from each square.

A set of squares is an int; a single square is a set of one. The reach of rooks and bishops depends on the
occupied squares of their lines; it is computed once per occupation and cached: on 64 squares at most 13,440
entries, some 2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from games.kit.scene import SquareBoard

Step = tuple[int, int]

_ROW: tuple[Step, ...] = ((1, 0), (-1, 0))
_FILE: tuple[Step, ...] = ((0, 1), (0, -1))
_DIAGONALS: tuple[Step, ...] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_LEAPS: tuple[Step, ...] = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))


def squares(mask: int) -> Iterator[int]:
    """Yields the squares of a set, a1 first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class _Reach(dict[int, int]):
    """The reach along these rays, by the occupied squares in the way."""

    def __init__(self, rays: list[list[int]]) -> None:
        super().__init__()
        self._rays = rays

    def __missing__(self, walls: int) -> int:
        reached = 0
        for ray in self._rays:
            for bit in ray:
                reached |= bit
                if bit & walls:
                    break
        self[walls] = reached
        return reached


_Slides = dict[int, tuple[int, _Reach]]


@dataclass(frozen=True)
class Chessboard(SquareBoard):
    """A board of squares with the moves of chessmen; its size is 8 in orthodox chess."""

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Returns the rows as sets of squares, the first row first."""
        return tuple(map(sum, self.rows))

    @cached_property
    def home(self) -> tuple[int, int]:
        """Returns by side the row where the pawns begin."""
        return self.ranks[1], self.ranks[-2]

    @cached_property
    def last(self) -> tuple[int, int]:
        """Returns by side the row where the pawns are promoted."""
        return self.ranks[-1], self.ranks[0]

    @cached_property
    def knight(self) -> dict[int, int]:
        return self._leaps(_LEAPS)

    @cached_property
    def king(self) -> dict[int, int]:
        return self._leaps((*_ROW, *_FILE, *_DIAGONALS))

    @cached_property
    def forward(self) -> tuple[dict[int, int], dict[int, int]]:
        """Returns by side the square ahead of each square. 0 on the last row."""
        return self._leaps(((0, 1),)), self._leaps(((0, -1),))

    @cached_property
    def capture(self) -> tuple[dict[int, int], dict[int, int]]:
        """Returns by side the squares where a pawn captures."""
        return self._leaps(((-1, 1), (1, 1))), self._leaps(((-1, -1), (1, -1)))

    @cached_property
    def queen(self) -> dict[int, int]:
        """Returns the reach of a queen on an empty board."""
        return {bit: self.straight(bit, 0) | self.diagonal(bit, 0) for bit in self.names}

    def straight(self, square: int, walls: int) -> int:
        """Returns the reach of a rook from `square`, up to and including the first of the `walls` each
        way.
        """
        row, along = self._along[square]
        file, up = self._up[square]
        return along[walls & row] | up[walls & file]

    def diagonal(self, square: int, walls: int) -> int:
        """Returns the reach of a bishop from `square`, up to and including the first of the `walls` each
        way.
        """
        mask, reach = self._across[square]
        return reach[walls & mask]

    def between(self, one: int, other: int) -> int:
        """Returns the squares between two on a common line. Empty (0) when they are on none."""
        if self.straight(one, 0) & other:
            return self.straight(one, other) & self.straight(other, one)
        if self.diagonal(one, 0) & other:
            return self.diagonal(one, other) & self.diagonal(other, one)
        return 0

    @cached_property
    def _along(self) -> _Slides:
        return self._slides(_ROW)

    @cached_property
    def _up(self) -> _Slides:
        return self._slides(_FILE)

    @cached_property
    def _across(self) -> _Slides:
        return self._slides(_DIAGONALS)

    def _ray(self, square: int, step: Step) -> list[int]:
        """Returns the squares from `square`, itself excluded, to the edge."""
        y, x = divmod(square.bit_length() - 1, self.size + 1)
        ray = []
        while 0 <= (x := x + step[0]) < self.size and 0 <= (y := y + step[1]) < self.size:
            ray.append(self.rows[y][x])
        return ray

    def _leaps(self, steps: tuple[Step, ...]) -> dict[int, int]:
        """Maps each square to the squares one of these steps away."""
        return {bit: sum(sum(self._ray(bit, step)[:1]) for step in steps) for bit in self.names}

    def _slides(self, steps: tuple[Step, ...]) -> _Slides:
        """Maps each square to the squares where a man can block, and its reach.

        The last square of a line blocks nothing.
        """
        rays = {bit: [self._ray(bit, step) for step in steps] for bit in self.names}
        return {bit: (sum(sum(ray[:-1]) for ray in of), _Reach(of)) for bit, of in rays.items()}
