"""What a system is told of a contest, and what it answers. Players are their numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Entrant:
    """Who plays: `rating` as it was when the contest began; `active` no longer once they have withdrawn, `erased` if
    they have left the table too.

    `division` is of a league, from 1, the highest, or a group that the organiser has chosen; 0 is the player who has
    just come, or has no group yet.
    """

    player: int
    rating: float = 1500.0
    active: bool = True
    erased: bool = False
    division: int = 0


@dataclass(frozen=True)
class Game:
    """A match: `points` are those of the first to move, None while it goes on. Against oneself it is a bye.

    `table` is the group, division or final that it belongs to, `plies` its length in half-moves.
    """

    first: int
    second: int
    points: float | None
    round: int = 1
    table: str = ""
    plies: int = 0

    @property
    def is_bye(self) -> bool:
        return self.first == self.second

    def points_of(self, player: int) -> float | None:
        """None too where they are not in it."""
        if self.points is None or player not in (self.first, self.second):
            return None
        return self.points if player == self.first else WON - self.points

    def other(self, player: int) -> int:
        return self.second if player == self.first else self.first


@dataclass(frozen=True)
class Pair:
    """A match to begin: `first` moves first."""

    first: int
    second: int
    table: str = ""


@dataclass(frozen=True)
class Draw:
    """A round: its matches, and who is free in it with a point."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A contest as it stands: `begun` is how many rounds have begun, all of whose matches are among `games`."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...] = ()
    begun: int = 0

    def active(self) -> tuple[Entrant, ...]:
        return seeded(entrant for entrant in self.entrants if entrant.active)

    def listed(self) -> tuple[int, ...]:
        """Who is in the tables."""
        return tuple(entrant.player for entrant in seeded(self.entrants) if not entrant.erased)

    def at(self, table: str) -> tuple[Game, ...]:
        return tuple(game for game in self.games if game.table == table)


@dataclass(frozen=True)
class Line:
    """A line of a table: players who cannot be told apart share a `place`; `values` are the tie-breaks in order."""

    player: int
    place: int
    tied: bool
    points: float
    values: tuple[float, ...] = field(default=())
    table: str = ""


def seeded(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The highest rating first; who is equal, by their numbers, so that no order of rows matters."""
    return tuple(sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.player)))


def letters(count: int) -> tuple[str, ...]:
    """The names of that many groups: A, B, C, and beyond Z AA, AB."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    beyond = (first + second for first in alphabet for second in alphabet)
    return (*alphabet, *beyond)[:count]


# What of the games of a player who withdraws stays in the table.


@dataclass(frozen=True)
class Withdrawal:
    """`erased`: all of their results leave the table. Else what is over stays, and what is open is lost."""

    erased: bool


def withdrawal(player: int, games: Iterable[Game], planned: int) -> Withdrawal:
    """`planned` is how many games they would have played. Before half of them is over nothing stays: else those who
    met them early would have points that the others could no longer make."""
    over = sum(1 for game in games if game.points_of(player) is not None and not game.is_bye)
    return Withdrawal(erased=2 * over < planned)


def without(games: Iterable[Game], erased: Iterable[int]) -> tuple[Game, ...]:
    gone = set(erased)
    return tuple(game for game in games if not {game.first, game.second} & gone)
