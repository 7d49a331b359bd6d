"""Reads the map of a board of Zèrtz, as a set-up gives it: `a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7`.

Each row is a letter and the numbers of its first and last ring along the lattice; the rings of a row
lie side by side.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from games.kit.hexagon import hexagon

# The smallest hexagon: on fewer rings hardly any marble has a ring behind it to be jumped to.
FEWEST = 7

_ROW = re.compile(r"([a-z])([1-9][0-9]?)(?:-([1-9][0-9]?))?")


def ring_map(text: str) -> str:
    """The map in its plain form, one blank between rows. Capitals, commas and line ends do not
    matter, and a row of one ring may be called by it, `h5`.

    Raises ValueError for what is no map, for too few rings, and for rings that are not connected.
    """
    rows = re.split(r"[\s,;/]+", text.casefold().strip(" \t\r\n,;/"))
    if len(rows) > len(ascii_lowercase):
        raise ValueError(f"{text!r} has {len(rows)} rows: a board has at most 26, a to z")
    plain = " ".join(_row(text, row, letter) for row, letter in zip(rows, ascii_lowercase, strict=False))
    board = hexagon(plain)
    if len(board.bit) < FEWEST:
        raise ValueError(f"{text!r} is too small: a board has at least {FEWEST} rings, not {len(board.bit)}")
    apart = [next(board.names(group)) for group in board.groups(board.full)]
    if len(apart) > 1:
        raise ValueError(f"{text!r} is not one board: no way leads from {apart[0]} to {apart[1]}")
    return plain


def _row(text: str, row: str, letter: str) -> str:
    found = _ROW.fullmatch(row)
    if not found:
        raise ValueError(f"{text!r} is no map of rings: {row!r} is no row as a1-4 is, with numbers up to 99")
    if found[1] != letter:
        raise ValueError(f"{text!r} is no map of rings: row {letter} must stand where {row!r} does")
    first, last = int(found[2]), int(found[3] or found[2])
    if first > last:
        raise ValueError(f"{text!r} is no map of rings: {row!r} runs backwards")
    return f"{letter}{first}-{last}"
