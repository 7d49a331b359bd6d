"""The tiles of Insert and how a board is put together from them.

The publisher's tiles are not public. These are ours: nine marks of each kind, no tile a rotation of
another, no three equal marks in a row or column of a tile, and the upper two, as they stand here,
make the cells that PerGioco newsletter 49 speaks of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isqrt
from random import Random

Tile = tuple[str, ...]  # rows of marks, the top row first

SINGLE = "-|\\/"  # row, column, the diagonal from NW to SE, the one from NE to SW
DOUBLE = "+x"  # row and column, both diagonals

TILES: tuple[Tile, ...] = (
    ("/|/", "-||", "\\-/"),
    ("\\|-", "|\\/", "--\\"),
    ("/-|", "/-\\", "\\/|"),
    ("|-\\", "\\/|", "-\\/"),
)

# For the variant x+ (Marino Carpignano, 2023), of which newsletter 49 says that some of its 2x2
# boards have cells with two lines: eight marks of each single kind and two of each double one.
MINI_BOARDS: tuple[Tile, ...] = (
    ("|/", "\\-"),
    ("-|", "/\\"),
    ("/-", "|\\"),
    ("\\|", "-/"),
    ("-\\", "/|"),
    ("+/", "\\|"),
    ("|\\", "-+"),
    ("x-", "|/"),
    ("\\-", "/x"),
)

_TURNED = str.maketrans("-|\\/", "|-/\\")


@cache
def turn(tile: Tile) -> Tile:
    """The tile after a clockwise quarter-turn, its lines turned with it."""
    return tuple("".join(column).translate(_TURNED) for column in zip(*reversed(tile), strict=True))


def assemble(tiles: Sequence[Tile]) -> str:
    """The marks of a square of tiles, row by row, the top row first."""
    across = isqrt(len(tiles))
    bands = (tiles[i : i + across] for i in range(0, len(tiles), across))
    return "".join("".join(row) for band in bands for row in zip(*band, strict=True))


def draw(tiles: Sequence[Tile], rng: Random) -> str:
    """A random layout: the tiles in any order, each turned any way, none turned over."""
    return assemble([_spun(tile, rng.randrange(4)) for tile in rng.sample(tiles, len(tiles))])


def _spun(tile: Tile, quarters: int) -> Tile:
    for _ in range(quarters):
        tile = turn(tile)
    return tile
