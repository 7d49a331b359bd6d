"""Settings that all systems share. Invalid values raise ValueError at construction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from itertools import groupby
from typing import Any, Self

from pbem.competitions.systems.tie_breaks import TIE_BREAKS, USUAL
from pbem.competitions.systems.values import Draw, Line, StandingsInput

LONGEST_ROUND = 730  # days


class Unfinished(StrEnum):
    """The treatment of matches that are unfinished when a round ends."""

    CLOCK = "clock"
    ORGANISER = "organiser"
    HALF = "half"
    TIME = "time"


@dataclass(frozen=True)
class Settings(ABC):
    """Settings of a system. `days` is the length of a round, 0: until its last match is over.

    `unfinished`: clocks go on, the organiser decides, half a point each, or the player who used less time
    wins.
    """

    days: int = 0
    unfinished: str = Unfinished.CLOCK
    ties: tuple[str, ...] = USUAL

    def __post_init__(self) -> None:
        within(self.days, 0, LONGEST_ROUND)
        Unfinished(self.unfinished)
        if unknown := set(self.ties) - TIE_BREAKS.keys():
            raise ValueError(f"no tie-breaks: {', '.join(sorted(unknown))}")

    def least(self) -> int:
        """Returns the least number of players."""
        return 2

    def most(self) -> int:
        """Returns the greatest number of players."""
        return 64

    @abstractmethod
    def draw(self, seen: StandingsInput) -> Draw | None:
        """Returns the next round. None after the last. The order of entrants and games does not matter."""

    @abstractmethod
    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the table, best first: each player once."""

    def standings(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the lines of all tables: of a player as many as they have played in."""
        return self.places(seen)

    def overall(self, lines: Sequence[Line]) -> Mapping[int, int]:
        """Returns the final places: the tables one below the other."""
        found: dict[int, int] = {}
        for _table, together in groupby(lines, key=lambda line: line.table):
            found |= shared(tuple(together), above=len(found))
        return found

    @abstractmethod
    def rounds(self, players: int) -> int:
        """Returns the number of rounds. Raises ValueError for an unplayable number of players."""

    def planned(self, players: int) -> int:
        """Returns the expected number of matches per player; 0 when all of them have begun."""
        return 0

    def erases(self) -> bool:
        """Returns whether an early withdrawal erases results."""
        # True in round robins; where results made the pairings they stay, as in FIDE's Swiss rules.
        return False

    def tables(self) -> bool:
        """Returns whether a round may have several tables, named by its lines."""
        return False

    def kept(self) -> dict[str, Any]:
        """Returns the values for a row."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        """Reads what `kept` returned. Raises ValueError for invalid settings."""
        known = {field.name for field in fields(cls)}
        if unknown := kept.keys() - known:
            raise ValueError(f"no settings: {', '.join(sorted(unknown))}")
        read: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
        }
        return cls(**read)


def shared(lines: Sequence[Line], *, above: int) -> Mapping[int, int]:
    """Returns places in a table, or in several that count alike, below `above` other players."""
    return {line.player: above + 1 + sum(other.place < line.place for other in lines) for line in lines}


class NotWithin(ValueError):
    """A number outside `least` to `most`."""

    def __init__(self, number: int, least: int, most: int) -> None:
        super().__init__(f"{number} is not within {least} and {most}")
        self.number, self.least, self.most = number, least, most


def within(number: int, least: int, most: int) -> None:
    """Raises NotWithin for a number outside the limits."""
    if not least <= number <= most:
        raise NotWithin(number, least, most)
