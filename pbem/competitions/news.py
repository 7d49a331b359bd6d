"""News of competitions, for subscribers in the apps above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.competitions.models import Edition, Entrant
from pbem.matches.models import Tournament
from pbem.players.models import Player

SUBJECT = "contest"  # in an event's facts: announced by the contest, not by a letter of its own


@dataclass(frozen=True)
class RoundBegan:
    edition: Edition
    number: int
    now: datetime


@dataclass(frozen=True)
class EditionEnded:
    edition: Edition
    now: datetime


@dataclass(frozen=True)
class Withdrew:
    """A withdrawal; `stopped` are the matches that ended with it."""

    entrant: Entrant
    stopped: tuple[int, ...]
    now: datetime


@dataclass(frozen=True)
class TournamentBegan:
    """All matches of a tournament began at once, without letters of their own."""

    tournament: Tournament
    now: datetime


@dataclass(frozen=True)
class LeftTournament:
    """A player left: `erased` with all results; `stopped` are the matches that ended with it."""

    tournament: Tournament
    player: Player
    reason: str
    erased: bool
    stopped: tuple[int, ...]
    now: datetime


News = RoundBegan | EditionEnded | Withdrew | TournamentBegan | LeftTournament
Subscriber = Callable[[News], None]
_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> None:
    """Adds a subscriber at start-up; it runs in the transaction of the news."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def tell(news: News) -> None:
    for subscriber in _subscribers:
        subscriber(news)
