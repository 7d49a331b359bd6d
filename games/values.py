"""Values exchanged with a game: sides, remarks, objections, outcomes, notations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

# The languages with a `games/kit/phrases.<language>.toml`, the source language first.
_SPOKEN = (path.name.split(".")[1] for path in (Path(__file__).parent / "kit").glob("phrases.*.toml"))
LANGUAGES = tuple(sorted(_SPOKEN, key=lambda language: (language != "en", language)))
COORDINATES = ("seed", "gipf")  # of hexagonal boards


class Side(IntEnum):
    """The first player or the second."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        return Side(1 - self)


@dataclass(frozen=True)
class Remark:
    """A statement of a game, as the code of a phrase and the values to fill in.

    `cells` are canonical cell names, `pieces` are keys of the phrases' `pieces` table, one per piece
    (`("white", "grey", "grey")`), `numbers` are counts.
    """

    code: str
    cells: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        filled = (*self.cells, *self.pieces, *map(str, self.numbers))
        return f"{self.code} {' '.join(filled)}".rstrip()


class Objection(Remark):
    """Why a move is illegal. Its sentence is `objections.<code>` of the phrases."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended. A `winner` of None is a draw; the sentence is `outcomes.<reason>`."""

    winner: Side | None
    reason: str

    @property
    def score(self) -> str:
        """The score: 1-0 (the first side won), 0-1 or 1/2."""
        return {Side.FIRST: "1-0", Side.SECOND: "0-1", None: "1/2"}[self.winner]


@dataclass(frozen=True)
class Notation:
    """How a player reads and writes: the language of the piece letters, the coordinate system."""

    language: str = "en"
    coordinates: str = "seed"


CANONICAL = Notation()
