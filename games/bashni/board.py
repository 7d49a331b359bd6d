"""The board of Bashni, the 32 dark squares of 8x8, its columns, and its moves.

A column is a word, bottom first: `w` and `b` are men, `W` and `B` kings. `bbW` is a white king above two black
men; an empty square has an empty word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.protocol import Side

MEN = 12  # of each side, kings included
PIECES = ("wW", "bB")  # of each side
ENEMIES = {piece: PIECES[1 - side] for side in Side for piece in PIECES[side]}
KINGS = "WB"

SQUARES = tuple(f"{'abcdefgh'[x]}{y + 1}" for y in range(8) for x in range(8) if (x + y) % 2 == 0)
INDEX = {name: index for index, name in enumerate(SQUARES)}

WAYS = ((1, 1), (-1, 1), (1, -1), (-1, -1))  # up right, up left, down right, down left
BACK = (3, 2, 1, 0)  # the opposite of each way
AHEAD = ((0, 1), (2, 3))  # the ways in which the men of each side step
LAST_ROW = (frozenset(range(28, 32)), frozenset(range(4)))  # where they become kings

Columns = tuple[str, ...]  # by the index of the square
Path = tuple[int, ...]  # the start of a move and where it lands


def _ray(name: str, way: tuple[int, int]) -> Path:
    x, y = ord(name[0]), int(name[1])
    names = (f"{chr(x + way[0] * n)}{y + way[1] * n}" for n in range(1, 8))
    return tuple(INDEX[name] for name in names if name in INDEX)


# For each square and way, the squares in that direction, the nearest first.
RAYS = tuple(tuple(_ray(name, way) for way in WAYS) for name in SQUARES)
# For two squares of a diagonal, the way from the first to the second and the squares between them.
LINES = {
    (here, there): (way, ray[:n])
    for here, rays in enumerate(RAYS)
    for way, ray in enumerate(rays)
    for n, there in enumerate(ray)
}


def owner(column: str) -> Side:
    """Returns the side of the piece on top of a column."""
    return Side.FIRST if column[-1] in PIECES[0] else Side.SECOND


def crowned(column: str, square: int) -> str:
    """Returns the column as it stands on a square: a man on top becomes a king on its last row."""
    man = column[-1]
    promoted = (man == "w" and square in LAST_ROW[0]) or (man == "b" and square in LAST_ROW[1])
    return column[:-1] + man.upper() if promoted else column


def names(path: Path) -> tuple[str, ...]:
    """Returns the names of squares."""
    return tuple(SQUARES[square] for square in path)


_CANONICAL = re.compile(r"[a-h][1-8](?:-[a-h][1-8]|(?:x[a-h][1-8])+)")


@dataclass(frozen=True, slots=True)
class Move:
    """A turn: `c3-d4` is a step, `c3xe5xg7` a capture. `path` is the start and each landing."""

    path: tuple[str, ...]
    capture: bool = False

    def __str__(self) -> str:
        return ("x" if self.capture else "-").join(self.path)


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not the canonical form of a move of Bashni")
    return Move(tuple(re.split("[-x]", text)), "x" in text)
