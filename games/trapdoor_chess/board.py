"""The chessboard as bitboards: moves of the men from each square, and castling.

A set of squares is an int, a1 the lowest bit and h8 the highest; a single square is a set of one. The reach
of rooks and bishops depends on the occupied squares of their lines; it is computed once per occupation and
cached: at most 13,440 entries, some 2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.protocol import Side

Step = tuple[int, int]

ALL = (1 << 64) - 1
NAMES = {1 << x + 8 * y: f"{'abcdefgh'[x]}{y + 1}" for y in range(8) for x in range(8)}
BITS = {name: bit for bit, name in NAMES.items()}
ROWS = tuple(0xFF << 8 * y for y in range(8))

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


def names(mask: int) -> tuple[str, ...]:
    """Returns the names of the squares of a set, a1 first."""
    return tuple(NAMES[bit] for bit in squares(mask))


def straight(square: int, walls: int) -> int:
    """Returns the reach of a rook from `square`, up to and including the first of the `walls` each way."""
    row, along = _ROWS[square]
    file, up = _FILES[square]
    return along[walls & row] | up[walls & file]


def diagonal(square: int, walls: int) -> int:
    """Returns the reach of a bishop from `square`, up to and including the first of the `walls` each way."""
    mask, reach = _DIAGONAL[square]
    return reach[walls & mask]


def between(one: int, other: int) -> int:
    """Returns the squares between two on a common line. Empty (0) when they are on none."""
    if straight(one, 0) & other:
        return straight(one, other) & straight(other, one)
    if diagonal(one, 0) & other:
        return diagonal(one, other) & diagonal(other, one)
    return 0


class _Reach(dict[int, int]):
    """The reach from one square in given directions, by the occupied squares in the way."""

    def __init__(self, square: int, steps: tuple[Step, ...]) -> None:
        super().__init__()
        self._square, self._steps = square, steps

    def __missing__(self, walls: int) -> int:
        reached = 0
        for step in self._steps:
            for bit in _ray(self._square, step):
                reached |= bit
                if bit & walls:
                    break
        self[walls] = reached
        return reached


def _ray(square: int, step: Step) -> Iterator[int]:
    """Yields the squares from `square`, itself excluded, to the edge."""
    place = square.bit_length() - 1
    x, y = place % 8 + step[0], place // 8 + step[1]
    while 0 <= x < 8 and 0 <= y < 8:
        yield 1 << x + 8 * y
        x, y = x + step[0], y + step[1]


def _leaps(steps: tuple[Step, ...]) -> dict[int, int]:
    """Maps each square to the squares one of these steps away."""
    return {bit: sum(next(_ray(bit, step), 0) for step in steps) for bit in NAMES}


def _slides(steps: tuple[Step, ...]) -> dict[int, tuple[int, _Reach]]:
    """Maps each square to the squares where a man can block, and its reach.

    The last square of a line blocks nothing.
    """
    return {
        bit: (sum(sum(list(_ray(bit, step))[:-1]) for step in steps), _Reach(bit, steps)) for bit in NAMES
    }


KNIGHT, KING = _leaps(_LEAPS), _leaps((*_ROW, *_FILE, *_DIAGONALS))
# By side: the square a pawn moves to, and the squares where it captures.
FORWARD = _leaps(((0, 1),)), _leaps(((0, -1),))
CAPTURE = _leaps(((-1, 1), (1, 1))), _leaps(((-1, -1), (1, -1)))
_ROWS, _FILES, _DIAGONAL = _slides(_ROW), _slides(_FILE), _slides(_DIAGONALS)
LINES = {bit: straight(bit, 0) | diagonal(bit, 0) for bit in NAMES}  # the reach of a queen on an empty board


# Castling


class Castling(NamedTuple):
    """One of the four castlings.

    `rook` is the rook's home and represents the right to castle there; `passed` is the square that the king
    passes and the rook moves to.
    """

    letter: str  # as in FEN
    side: Side
    king: int
    rook: int
    target: int
    passed: int

    @property
    def path(self) -> int:
        """Returns the squares between king and rook."""
        return between(self.king, self.rook)


CASTLINGS = tuple(
    Castling(letter, side, *(BITS[name] for name in cells.split()))
    for letter, side, cells in (
        ("K", Side.FIRST, "e1 h1 g1 f1"),
        ("Q", Side.FIRST, "e1 a1 c1 d1"),
        ("k", Side.SECOND, "e8 h8 g8 f8"),
        ("q", Side.SECOND, "e8 a8 c8 d8"),
    )
)
BY_KING = {(castling.king, castling.target): castling for castling in CASTLINGS}
BY_SIDE = tuple(tuple(castling for castling in CASTLINGS if castling.side == side) for side in Side)

# The rights that end when a man leaves this square or arrives on it.
FORFEIT = {
    square: sum(castling.rook for castling in CASTLINGS if square in (castling.king, castling.rook))
    for castling in CASTLINGS
    for square in (castling.king, castling.rook)
}
