"""What is to be played, and what goes wrong meanwhile: all of it follows from the seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WORKER, DOOR, MAILBOX, RELAY = "worker", "door", "mailbox", "relay"
PARTS = (WORKER, DOOR, MAILBOX)  # those whose signs of life are written down


@dataclass(frozen=True)
class Plan:
    players: int
    matches: int
    days: int
    seed: int
    troubles: bool = True
    robots: float = 0.0  # the share of the matches that are with one
    talkative: bool = False  # people chat, sign, quote, and say YES in twelve ways

    def __str__(self) -> str:
        return f"{self.players} players, {self.matches} matches, {self.days} days, seed {self.seed}"


@dataclass(frozen=True)
class Trouble:
    """A part of the service dies, and lives again. The relay takes no letters."""

    part: str
    died: datetime
    lived: datetime

    def __str__(self) -> str:
        return f"{self.part}: {self.died:%Y-%m-%d %H:%M} to {self.lived:%Y-%m-%d %H:%M}"


Way = Sequence[tuple[str, timedelta, timedelta]]


def _machine(lasting: timedelta) -> Way:
    return [(part, timedelta(), lasting) for part in PARTS]


# A part, how long after the first it dies, and when it lives again: alone, one within the other, overlapping, together;
# shorter than the five minutes after which an outage was one, and longer.
WAYS: Sequence[Way] = (
    [(WORKER, 0 * HOUR, 3 * MINUTE)],
    [(DOOR, 0 * HOUR, 4 * MINUTE)],
    [(MAILBOX, 0 * HOUR, 3 * MINUTE)],
    [(WORKER, 0 * HOUR, 3 * MINUTE), (DOOR, 2 * MINUTE, 5 * MINUTE)],
    _machine(2 * MINUTE),
    [(WORKER, 0 * HOUR, 40 * MINUTE)],
    [(DOOR, 0 * HOUR, 3 * HOUR)],
    [(MAILBOX, 0 * HOUR, 5 * HOUR)],
    [(RELAY, 0 * HOUR, 2 * HOUR)],
    [(WORKER, 0 * HOUR, 2 * HOUR), (DOOR, 1 * HOUR, 3 * HOUR)],
    [(DOOR, 0 * HOUR, 5 * HOUR), (WORKER, 1 * HOUR, 2 * HOUR)],
    _machine(20 * MINUTE),
    [(MAILBOX, 0 * HOUR, 9 * HOUR), (WORKER, 2 * HOUR, 3 * HOUR), (RELAY, 1 * HOUR, 6 * HOUR)],
    _machine(60 * HOUR),
    [(RELAY, 0 * HOUR, 30 * HOUR)],
    [(MAILBOX, 0 * HOUR, 30 * HOUR), (DOOR, 20 * HOUR, 31 * HOUR)],
)
QUIET, REST = (
    0.1,
    4 * DAY,
)  # the first tenth of a season is undisturbed; a long one has something every four days


def troubles(plan: Plan, begin: datetime, rng: Random) -> tuple[Trouble, ...]:
    """Spread over the season, none that would be a tenth of it."""
    ways = [way for way in WAYS if _length(way) <= plan.days * DAY / 10]
    count = max(len(ways), plan.days * DAY // REST) if plan.troubles else 0
    first, step = begin + QUIET * plan.days * DAY, (1 - QUIET) * plan.days * DAY / max(1, count)
    shuffled: list[Way] = []
    while len(shuffled) < count:
        shuffled += rng.sample(ways, len(ways))
    return tuple(_laid(shuffled[:count], first, step, rng))


def _laid(ways: Sequence[Way], first: datetime, step: timedelta, rng: Random) -> Iterator[Trouble]:
    free = first
    for number, way in enumerate(ways):
        moment = max(free, first + (number + rng.random() * 0.8) * step)
        moment = moment.replace(second=0, microsecond=0)
        free = moment + _length(way) + 8 * HOUR
        for part, after, until in way:
            yield Trouble(part, moment + after, moment + until)


def _length(way: Way) -> timedelta:
    return max(until for _, _, until in way)
