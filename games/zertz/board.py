"""The board of Zèrtz: maps of rings for set-ups, isolated rings, and moves.

A map such as `a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7` gives each row as a letter and the numbers of its first and
last ring along the lattice; the rings of a row are adjacent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from string import ascii_lowercase

from games.kit.scene import Hexagon, hexagon
from games.zertz.variants import Islands

# The smallest hexagon: on smaller boards, hardly any marble can be jumped.
FEWEST = 7

_ROW = re.compile(r"([a-z])([1-9][0-9]?)(?:-([1-9][0-9]?))?")


def ring_map(text: str) -> str:
    """Normalises a map: one blank between rows. Case, commas and line ends are ignored; `h5` is a row of one
    ring.

    Raises ValueError for malformed maps, too few rings, and rings that are not connected.
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


# Isolated rings leave with their marbles after a placement. In newsletter 56 these are the groups without an
# empty ring. In Fogliaccio 6 they are also those cut off from the main group, here the largest; of several
# largest groups, all stay.


def isolated(board: Hexagon, rings: int, empty: int, islands: Islands) -> int:
    """Returns the rings that leave: all of them when none is empty."""
    open_rings = board.connected(empty, rings)
    gone = rings & ~open_rings
    if islands == "any":
        groups = list(board.groups(open_rings))
        largest = max((group.bit_count() for group in groups), default=0)
        gone |= sum(group for group in groups if group.bit_count() < largest)
    return gone


# Moves: placements and jumps


class Colour(IntEnum):
    """The colour of a marble, and its index in triples of counts or masks."""

    WHITE = 0
    GREY = 1
    BLACK = 2

    @property
    def kind(self) -> str:
        """Returns its key in the phrases' `pieces` table."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Placement:
    """A marble placed on `cell`, and the ring `removed` afterwards, None when none can be."""

    colour: Colour
    cell: str
    removed: str | None

    def __str__(self) -> str:
        put = f"{LETTERS[self.colour]}{self.cell}"
        return f"{put},{self.removed}" if self.removed else put


@dataclass(frozen=True, slots=True)
class Jump:
    """A complete chain of jumps: the rings that the marble touches, the start first."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return "x".join(self.path)


Move = Placement | Jump

LETTERS = "WGB"
_CELL = "[a-z][1-9][0-9]?"
_PLACEMENT = re.compile(rf"([{LETTERS}])({_CELL})(?:,({_CELL}))?")
_JUMP = re.compile(rf"{_CELL}(?:x{_CELL})+")


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if placed := _PLACEMENT.fullmatch(text):
        letter, cell, removed = placed.groups()
        return Placement(Colour(LETTERS.index(letter)), cell, removed)
    if _JUMP.fullmatch(text):
        return Jump(tuple(re.findall(_CELL, text)))  # not split at x, which may name a row
    raise ValueError(f"{text!r} is not the canonical form of a Zèrtz move")
