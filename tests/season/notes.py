"""What the people of a season write down when they act, and what they see happen: no row is asked again at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

Days = tuple[datetime, datetime]
Seated = tuple[int, int, int]  # match, ply, player


@dataclass(frozen=True)
class Ply:
    """A turn as it was seen on the board; `by_itself`: the service played it for its player."""

    ply: int
    side: int
    by_itself: bool


@dataclass(frozen=True)
class Entry:
    """Something happened in a match `at` a moment, by a letter that had `arrived` (None: by none of theirs)."""

    kind: str
    at: datetime
    arrived: datetime | None
    side: int | None
    ply: int
    to_move: int | None
    played: tuple[Ply, ...]
    facts: Mapping[str, Any]
    asked: datetime | None = None  # when the letter arrived that this one confirms


@dataclass(frozen=True)
class Handed:
    """A letter with a legal move for a ply, as its writer gave it away; `believed`: nobody need be asked. What it
    `answers` was read then."""

    arrived: datetime
    believed: bool
    answers: datetime


@dataclass(frozen=True)
class Hours:
    """When a player's clocks stand still, from a moment on."""

    since: datetime
    zone: str
    free_weekdays: str
    night: tuple[time, time] | None


@dataclass(frozen=True)
class Posted:
    """A letter that reached a mailbox."""

    to: str
    message_id: str
    at: datetime


@dataclass
class Notes:
    matches: dict[int, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    seats: dict[int, tuple[int, int]] = field(default_factory=dict)  # the players of a match
    moves: dict[Seated, list[Handed]] = field(default_factory=lambda: defaultdict(list))
    told: dict[Seated, list[datetime]] = field(default_factory=lambda: defaultdict(list))  # the relay took it
    held: dict[Seated, list[int]] = field(default_factory=lambda: defaultdict(list))  # letters in doubt
    arrived: dict[int, datetime] = field(default_factory=dict)  # by the number of a letter
    confirms: dict[int, int] = field(default_factory=dict)  # a YES, and the letter that it is about
    hours: dict[int, list[Hours]] = field(default_factory=lambda: defaultdict(list))
    absences: dict[int, list[Days]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[int, list[Days]] = field(default_factory=lambda: defaultdict(list))  # days, by the service
    unreachable: dict[int, list[Days]] = field(default_factory=lambda: defaultdict(list))
    lost: dict[int, datetime] = field(default_factory=dict)  # the mailbox is known not to work
    holidays: list[date] = field(default_factory=list)
    log: list[Posted] = field(default_factory=list)

    def left(self, player: int, until: datetime) -> list[Days]:
        """When nothing reached the player."""
        open_end = [(self.lost[player], until)] if player in self.lost else []
        return [*self.unreachable[player], *open_end]

    def __str__(self) -> str:
        """For anyone who looks for what went wrong."""
        lines = [f"match {match}: {entry}" for match, entries in self.matches.items() for entry in entries]
        for name in ("absences", "taken", "unreachable", "lost", "hours", "holidays"):
            lines.append(f"{name}: {getattr(self, name)}")
        return "\n".join(lines)


def whole(moment: datetime) -> datetime:
    """The next whole minute: all of a season happens at one."""
    floor = moment.replace(second=0, microsecond=0)
    return floor if floor == moment else floor + timedelta(minutes=1)
