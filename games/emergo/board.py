"""The board of Emergo: the 41 dark squares of 9x9, and which of them lie behind each other.

Counted from a1 in rows of five and four, every square has its neighbours at the same distances: 5 up
to the right, 4 up to the left. A set of squares is an int, and a shift by 4 or 5 moves all of it one
step along a diagonal.
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
INNER = ALL ^ BORDER  # where there is a square behind: only here can a column be jumped

WAYS = (-5, -4, 4, 5)  # down to the left, down to the right, up to the left, up to the right

# For each square, the squares one step away.
STEPS = tuple(
    tuple(
        other
        for other in (index + way for way in WAYS)
        if 0 <= other < len(SQUARES) and abs(2 * other % 9 - 2 * index % 9) == 1  # not round the edge
    )
    for index in range(len(SQUARES))
)
# For each square, the jumps that fit on the board: what is jumped, where it ends, and the bits of both.
JUMPS = tuple(
    tuple((over, 2 * over - index, 1 << over, 1 << 2 * over - index) for over in steps if INNER >> over & 1)
    for index, steps in enumerate(STEPS)
)


def exposed(men: int, hunters: int, empty: int) -> int:
    """Those of `men` that one of `hunters` can jump. Never on the border, so no shift runs over it."""
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
    """Those of `men` with an empty square beside them, in each of the four `WAYS`."""
    inward, outward = men & ~LEFT, men & ~RIGHT
    return inward & empty << 5, outward & empty << 4, inward & empty >> 4, outward & empty >> 5


def indices(squares: int) -> Iterator[int]:
    """The squares of a set, a1 first."""
    while squares:
        bit = squares & -squares
        yield bit.bit_length() - 1
        squares ^= bit


# A turn of Emergo: the squares that it touches, and its canonical form.

_CANONICAL = re.compile(r"[a-i][1-9](?:-[a-i][1-9]|(?:x[a-i][1-9])+)?")


@dataclass(frozen=True, slots=True)
class Move:
    """`d6` enters men, `b4-c5` is a step, `d2xf4xh6` a capture: where it starts, then each landing."""

    path: tuple[str, ...]
    capture: bool = False

    def __str__(self) -> str:
        return ("x" if self.capture else "-").join(self.path)


def move(text: str) -> Move:
    """The inverse of `str(move)`. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not the canonical form of an Emergo move")
    if "-" in text:
        return Move(tuple(text.split("-")))
    return Move(tuple(text.split("x")), "x" in text)
