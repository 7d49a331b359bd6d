"""Input and output values of the systems. Players are numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Entrant:
    """A player; `rating` is that at the beginning. `active` until they withdraw; `erased`: out of the table.

    `division` is that of a league, from 1, the highest, or the organiser's group; 0 for newcomers and players
    without a group.
    """

    player: int
    rating: float = 1500.0
    active: bool = True
    erased: bool = False
    division: int = 0


@dataclass(frozen=True)
class Game:
    """A match; `points` are those of the first to move, None while it goes on. Against oneself it is a bye.

    `table` is its group, division or final; `plies` is its length.
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
        """Returns the player's points. None while the game goes on, or when they are not in it."""
        if self.points is None or player not in (self.first, self.second):
            return None
        return self.points if player == self.first else WON - self.points

    def other(self, player: int) -> int:
        return self.second if player == self.first else self.first


@dataclass(frozen=True)
class Pair:
    """A match to begin; `first` moves first."""

    first: int
    second: int
    table: str = ""


@dataclass(frozen=True)
class Draw:
    """A round: its matches, and the byes, each with a point."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class StandingsInput:
    """The state of a contest: `begun` is the number of rounds begun, with all their matches in `games`."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...] = ()
    begun: int = 0

    def active(self) -> tuple[Entrant, ...]:
        return seeded(entrant for entrant in self.entrants if entrant.active)

    def listed(self) -> tuple[int, ...]:
        """Returns the players in the tables."""
        return tuple(entrant.player for entrant in seeded(self.entrants) if not entrant.erased)

    def at(self, table: str) -> tuple[Game, ...]:
        return tuple(game for game in self.games if game.table == table)


@dataclass(frozen=True)
class Line:
    """A line of a table: tied players share a `place`; `values` are the tie-breaks in order."""

    player: int
    place: int
    tied: bool
    points: float
    values: tuple[float, ...] = field(default=())
    table: str = ""


def seeded(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Returns the entrants by rating, highest first, then by number, whatever the order of rows."""
    return tuple(sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.player)))


def letters(count: int) -> tuple[str, ...]:
    """Returns names of groups: A, B, C, and after Z AA, AB."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    beyond = (first + second for first in alphabet for second in alphabet)
    return (*alphabet, *beyond)[:count]


# Withdrawals


@dataclass(frozen=True)
class Withdrawal:
    """`erased`: all results leave the table. Otherwise results stay, and open games are lost."""

    erased: bool


def withdrawal(player: int, games: Iterable[Game], planned: int) -> Withdrawal:
    """Returns the effect of a withdrawal. `planned` is the number of games the player would have played."""
    # Results of few games are erased: early opponents would have points that the others can no longer get.
    over = sum(1 for game in games if game.points_of(player) is not None and not game.is_bye)
    return Withdrawal(erased=2 * over < planned)


def without(games: Iterable[Game], erased: Iterable[int]) -> tuple[Game, ...]:
    gone = set(erased)
    return tuple(game for game in games if not {game.first, game.second} & gone)
