"""What all systems let an organiser choose. A value that cannot be played raises ValueError when it is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from itertools import groupby
from typing import Any, Self

from pbem.contests.systems.tie_breaks import TIE_BREAKS, USUAL
from pbem.contests.systems.values import Draw, Line, Seen

LONGEST_ROUND = 730  # days


class Unfinished(StrEnum):
    """What becomes of matches that still go on when a round's days are over."""

    CLOCK = "clock"
    ORGANISER = "organiser"
    HALF = "half"
    TIME = "time"


@dataclass(frozen=True)
class Settings(ABC):
    """`days` is how long a round lasts, 0: until its last match is over; `unfinished` says what then becomes of the
    rest: the clocks go on, the organiser decides, half a point each, or who has used less time wins."""

    days: int = 0
    unfinished: str = Unfinished.CLOCK
    ties: tuple[str, ...] = USUAL

    def __post_init__(self) -> None:
        within(self.days, 0, LONGEST_ROUND)
        Unfinished(self.unfinished)
        if unknown := set(self.ties) - TIE_BREAKS.keys():
            raise ValueError(f"no tie-breaks: {', '.join(sorted(unknown))}")

    def least(self) -> int:
        """Players it needs."""
        return 2

    def most(self) -> int:
        """Players it has room for."""
        return 64

    @abstractmethod
    def draw(self, seen: Seen) -> Draw | None:
        """The next round; None after the last. The same entrants and games give the same, in whatever order."""

    @abstractmethod
    def places(self, seen: Seen) -> tuple[Line, ...]:
        """How all stand, best first."""

    def overall(self, lines: Sequence[Line]) -> Mapping[int, int]:
        """The places that are written: the tables in their order, one below the other."""
        found: dict[int, int] = {}
        for _table, together in groupby(lines, key=lambda line: line.table):
            found |= shared(tuple(together), above=len(found))
        return found

    @abstractmethod
    def rounds(self, players: int) -> int:
        """How many there will be. ValueError for a number of players that cannot play it."""

    def planned(self, players: int) -> int:
        """Matches of each that are to be expected; 0 where all that will be have begun."""
        return 0

    def erases(self) -> bool:
        """Whether the results of who withdraws early leave the table. Where everybody meets everybody they do; where
        pairings were made by them they stay, as in FIDE's Swiss rules."""
        return False

    def tables(self) -> bool:
        """Whether a round may have several tables, which its lines then name."""
        return False

    def kept(self) -> dict[str, Any]:
        """For a row."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        """From what `kept` gave. ValueError for what is none."""
        known = {field.name for field in fields(cls)}
        if unknown := kept.keys() - known:
            raise ValueError(f"no settings: {', '.join(sorted(unknown))}")
        read: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
        }
        return cls(**read)


def shared(lines: Sequence[Line], *, above: int) -> Mapping[int, int]:
    """By their places in a table, or in several that count alike, below so many others."""
    return {line.player: above + 1 + sum(other.place < line.place for other in lines) for line in lines}


class NotWithin(ValueError):
    """A number that has to be from `least` to `most`."""

    def __init__(self, number: int, least: int, most: int) -> None:
        super().__init__(f"{number} is not within {least} and {most}")
        self.number, self.least, self.most = number, least, most


def within(number: int, least: int, most: int) -> None:
    """Raises NotWithin."""
    if not least <= number <= most:
        raise NotWithin(number, least, most)
