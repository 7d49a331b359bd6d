"""What a game and its askers hand each other: sides, remarks, outcomes, notations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

# Those that `games/kit/phrases.<language>.toml` is there in, the language of the source first.
_SPOKEN = (path.name.split(".")[1] for path in (Path(__file__).parent / "kit").glob("phrases.*.toml"))
LANGUAGES = tuple(sorted(_SPOKEN, key=lambda language: (language != "en", language)))
COORDINATES = ("seed", "gipf")  # of hexagons


class Side(IntEnum):
    """Who moves: the first player or the second."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        return Side(1 - self)


@dataclass(frozen=True)
class Remark:
    """Something a game says, without words: a code of its phrases and what to fill in.

    `cells` are canonical cell names, `pieces` are keys of the phrases' piece table, one per piece
    (`("white", "grey", "grey")`), `numbers` are plain counts.
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
    """How a game ended. `winner` None is a draw; the sentence is `outcomes.<reason>`."""

    winner: Side | None
    reason: str

    @property
    def score(self) -> str:
        """1-0 (the first to move won), 0-1 or 1/2."""
        return {Side.FIRST: "1-0", Side.SECOND: "0-1", None: "1/2"}[self.winner]


@dataclass(frozen=True)
class Notation:
    """How a player reads and writes: the language of the piece letters, the coordinate system."""

    language: str = "en"
    coordinates: str = "seed"


CANONICAL = Notation()
