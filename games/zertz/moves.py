"""The two turns of Zèrtz, a placement and a jump, and their canonical form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum


class Colour(IntEnum):
    """The colour of a marble, and its place in every triple of counts or masks."""

    WHITE = 0
    GREY = 1
    BLACK = 2

    @property
    def kind(self) -> str:
        """Its key in the phrases' table of pieces."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Placement:
    """A marble put on `cell`, and the ring `removed` after it: None where no ring can be."""

    colour: Colour
    cell: str
    removed: str | None

    def __str__(self) -> str:
        put = f"{LETTERS[self.colour]}{self.cell}"
        return f"{put},{self.removed}" if self.removed else put


@dataclass(frozen=True, slots=True)
class Jump:
    """A complete chain of jumps: the rings that the marble touches, its start first."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return "x".join(self.path)


Move = Placement | Jump

LETTERS = "WGB"
_CELL = "[a-z][1-9][0-9]?"
_PLACEMENT = re.compile(rf"([{LETTERS}])({_CELL})(?:,({_CELL}))?")
_JUMP = re.compile(rf"{_CELL}(?:x{_CELL})+")


def move(text: str) -> Move:
    """The inverse of `str(move)`. Raises ValueError for any other text."""
    if placed := _PLACEMENT.fullmatch(text):
        letter, cell, removed = placed.groups()
        return Placement(Colour(LETTERS.index(letter)), cell, removed)
    if _JUMP.fullmatch(text):
        return Jump(tuple(re.findall(_CELL, text)))  # not split at x, which may name a row
    raise ValueError(f"{text!r} is not the canonical form of a Zèrtz move")
