"""Those who play a season: when each of them answers, what slips from their pen, and when they cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random

from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post, registered

ZONES = ("Europe/Rome", "Europe/London", "America/New_York", "Asia/Tokyo")
DOMAINS = 20
VANISHES = 0.1  # of all players: one day they write no more
TRAVELS = 0.4
BREAKS = 0.15  # of all mailboxes: for some days they take nothing
MOVES_HOUSE = 0.2  # chooses other nights once
AHEAD = (0, 1, 3, 10)  # days before which a journey is told; 0: on the day itself
Days = tuple[datetime, datetime]


@dataclass
class Person:
    """`answers_within`: half of all answers take no longer. `trips` are told to the service beforehand, `nights`
    are chosen at a moment. `fetched`: their letters come by the mailbox that the service empties, not to its door."""

    correspondent: Correspondent
    player: Player
    language: str
    answers_within: timedelta
    fetched: bool
    trips: list[Days] = field(default_factory=list)
    told_at: list[datetime] = field(default_factory=list)
    broken: list[Days] = field(default_factory=list)
    vanishes: datetime | None = None
    nights: tuple[datetime, int, int] | None = None

    @property
    def email(self) -> str:
        return self.correspondent.email

    def is_broken(self, now: datetime) -> bool:
        return any(gone <= now < back for gone, back in self.broken)

    def has_vanished(self, now: datetime) -> bool:
        return self.vanishes is not None and now >= self.vanishes

    def takes(self, rng: Random) -> timedelta:
        """How long this answer takes: mostly hours, sometimes a week."""
        return self.answers_within * rng.lognormvariate(0, 1)

    def says(self, english: str, italian: str) -> str:
        return italian if self.language == "it" else english


def people(post: Post, count: int, days: int, rng: Random) -> Iterator[Person]:
    """Players who have just signed up. Every third has a free weekend, every third a night; a few have both."""
    for number in range(count):
        language = ("en", "it")[number % 2]
        correspondent = registered(post, f"Player{number}", language)
        player = correspondent.player
        _settle(player, number, rng)
        within = timedelta(hours=rng.choice((1, 4, 12, 30)))
        person = Person(correspondent, player, language, within, fetched=number % 4 == 3)
        first = post.now + timedelta(days=rng.uniform(0.2, 0.6) * days)
        if rng.random() < TRAVELS:
            for start in (first, first + timedelta(days=rng.uniform(0.2, 0.3) * days))[: rng.randint(1, 2)]:
                gone = (start + timedelta(days=1)).replace(hour=0, minute=0)
                person.trips.append((gone, gone + timedelta(days=rng.randint(2, 9))))
                person.told_at.append(gone - timedelta(days=rng.choice(AHEAD)) + timedelta(hours=9))
        elif rng.random() < BREAKS:
            person.broken.append((first, first + timedelta(days=rng.randint(2, 6))))
        elif rng.random() < VANISHES:
            person.vanishes = first
        if rng.random() < MOVES_HOUSE:
            moment = post.now + timedelta(days=rng.uniform(0.3, 0.8) * days)
            person.nights = moment, rng.choice((21, 22, 23)), rng.choice((5, 6))
        yield person


def _settle(player: Player, number: int, rng: Random) -> None:
    """Where they live, when they sleep, and what letters they like: few want pictures, which take long to draw."""
    player.zone = rng.choice(ZONES)
    player.text_only = number % 10 != 0
    if number % 3 == 0:
        player.free_weekdays = rng.choice(("56", "6", "4"))
    if number % 3 == 1 or number % 7 == 0:
        player.night_begins, player.night_ends = time(23), time(rng.choice((6, 7, 8)))
    player.save()
