"""The board of Emergo, the 41 dark squares of 9x9, and its moves.

Squares are numbered from a1 in rows of five and four, so neighbours are always at the same distances: 5 up to
the right, 4 up to the left. A set of squares is an int; shifting it by 4 or 5 moves it along a diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MEN = 12  # of each side

SQUARES = tuple(f"{'abcdefghi'[n % 9]}{n // 9 + 1}" for n in range(0, 81, 2))
INDEX = {name: index for index, name in enumerate(SQUARES)}
BIT = {name: 1 << index for index, name in enumerate(SQUARES)}

ALL = (1 << len(SQUARES)) - 1
CENTRE = BIT["e5"]
LEFT = sum(bit for name, bit in BIT.items() if name[0] == "a")
RIGHT = sum(bit for name, bit in BIT.items() if name[0] == "i")
BORDER = LEFT | RIGHT | sum(bit for name, bit in BIT.items() if name[1] in "19")
INNER = ALL ^ BORDER  # only columns here can be jumped: there is a square behind them

WAYS = (-5, -4, 4, 5)  # down left, down right, up left, up right

# For each square, the squares one step away.
STEPS = tuple(
    tuple(
        other
        for other in (index + way for way in WAYS)
        if 0 <= other < len(SQUARES) and abs(2 * other % 9 - 2 * index % 9) == 1  # no wrap around the edge
    )
    for index in range(len(SQUARES))
)
# For each square, the jumps on the board: the square jumped, the landing, and the bits of both.
JUMPS = tuple(
    tuple((over, 2 * over - index, 1 << over, 1 << 2 * over - index) for over in steps if INNER >> over & 1)
    for index, steps in enumerate(STEPS)
)


def exposed(men: int, hunters: int, empty: int) -> int:
    """Returns those of `men` that one of `hunters` can jump."""
    # never on the border, so shifts do not wrap
    return (
        men
        & INNER
        & (
            (hunters << 4 & empty >> 4)
            | (hunters >> 4 & empty << 4)
            | (hunters << 5 & empty >> 5)
            | (hunters >> 5 & empty << 5)
        )
    )


def walkers(men: int, empty: int) -> tuple[int, int, int, int]:
    """Returns those of `men` next to an empty square, for each of the four `WAYS`."""
    inward, outward = men & ~LEFT, men & ~RIGHT
    return inward & empty << 5, outward & empty << 4, inward & empty >> 4, outward & empty >> 5


def indices(squares: int) -> Iterator[int]:
    """Yields the indices of a set of squares, a1 first."""
    while squares:
        bit = squares & -squares
        yield bit.bit_length() - 1
        squares ^= bit


# Moves

_CANONICAL = re.compile(r"[a-i][1-9](?:-[a-i][1-9]|(?:x[a-i][1-9])+)?")


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `d6` enters men, `b4-c5` is a step, `d2xf4xh6` a capture. `path` is the start and each landing."""

    path: tuple[str, ...]
    capture: bool = False

    def __str__(self) -> str:
        return ("x" if self.capture else "-").join(self.path)


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not the canonical form of an Emergo move")
    if "-" in text:
        return Move(tuple(text.split("-")))
    return Move(tuple(text.split("x")), "x" in text)
