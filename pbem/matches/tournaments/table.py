"""How everybody stands: points, Sonneborn-Berger, wins, and who met whom with what result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Generic, TypeVar

Entrant = TypeVar("Entrant")
WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Meeting(Generic[Entrant]):
    """A game between two: `points` are those of the first to move, None while it goes on; `match` 0: it was won without
    one."""

    first: Entrant
    second: Entrant
    points: float | None
    match: int = 0


@dataclass(frozen=True)
class Cell:
    """What one game was to the player of the row."""

    points: float | None
    match: int

    @property
    def sign(self) -> str:
        return {WON: "1", DRAWN: "½", LOST: "0", None: "·"}[self.points]


@dataclass(frozen=True)
class Row(Generic[Entrant]):
    """One player: `met` has their games by opponent; `place` is shared by those who cannot be told apart."""

    entrant: Entrant
    place: int
    tied: bool
    points: float
    sonneborn_berger: float
    won: int
    drawn: int
    lost: int
    met: Mapping[Entrant, tuple[Cell, ...]] = field(default_factory=dict)

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    def signs(self, other: Entrant) -> str:
        """What their games against `other` came to, a sign each: `1½`, `·` for one that goes on."""
        return "".join(cell.sign for cell in self.met.get(other, ()))


def cross_table(
    entrants: Sequence[Entrant], meetings: Iterable[Meeting[Entrant]]
) -> tuple[Row[Entrant], ...]:
    """Best first. Ties are broken by Sonneborn-Berger, then by wins; what is equal still keeps its order."""
    met: dict[Entrant, dict[Entrant, list[Cell]]] = {entrant: defaultdict(list) for entrant in entrants}
    for game in meetings:
        met[game.first][game.second].append(Cell(game.points, game.match))
        theirs = None if game.points is None else WON - game.points
        met[game.second][game.first].append(Cell(theirs, game.match))
    scores = {entrant: _Score(met[entrant]) for entrant in entrants}
    points = {entrant: score.points for entrant, score in scores.items()}

    def rank(entrant: Entrant) -> tuple[float, float, int]:
        score = scores[entrant]
        return -score.points, -score.sonneborn_berger(points), -score.count(WON)

    rows: list[Row[Entrant]] = []
    for _rank, equals in groupby(sorted(entrants, key=rank), key=rank):
        together = list(equals)
        place, tied = len(rows) + 1, len(together) > 1
        rows += [_row(entrant, scores[entrant], points, place, tied) for entrant in together]
    return tuple(rows)


@dataclass(frozen=True)
class _Score(Generic[Entrant]):
    met: Mapping[Entrant, Sequence[Cell]]

    @cached_property
    def over(self) -> list[tuple[Entrant, float]]:
        cells = ((other, cell.points) for other, cells in self.met.items() for cell in cells)
        return [(other, points) for other, points in cells if points is not None]

    @cached_property
    def points(self) -> float:
        return sum(points for _, points in self.over)

    def count(self, points: float) -> int:
        return sum(1 for _, each in self.over if each == points)

    def sonneborn_berger(self, points: Mapping[Entrant, float]) -> float:
        """The points of those they beat, and half of the points of those they drew with."""
        return sum(scored * points[other] for other, scored in self.over)


def _row(
    entrant: Entrant, score: _Score[Entrant], points: Mapping[Entrant, float], place: int, tied: bool
) -> Row[Entrant]:
    return Row(
        entrant,
        place,
        tied,
        score.points,
        score.sonneborn_berger(points),
        score.count(WON),
        score.count(DRAWN),
        score.count(LOST),
        {other: tuple(cells) for other, cells in score.met.items()},
    )
