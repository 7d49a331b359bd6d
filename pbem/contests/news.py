"""The one place where the apps above hear what happened in a contest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.contests.models import Edition, Entrant
from pbem.matches.models import Tournament
from pbem.players.models import Player

SUBJECT = (
    "contest"  # in the facts of an event of a match: it is told by the contest, and by no letter of its own
)


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
    """`stopped` are their matches that ended with it."""

    entrant: Entrant
    stopped: tuple[int, ...]
    now: datetime


@dataclass(frozen=True)
class TournamentBegan:
    """With all of its matches at once, of which no letters of their own tell."""

    tournament: Tournament
    now: datetime


@dataclass(frozen=True)
class LeftTournament:
    """`erased`: with all of their results; `stopped` are their matches that ended with it."""

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
    """Apps call this when they start; the subscriber runs inside the transaction of what it hears."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def tell(news: News) -> None:
    for subscriber in _subscribers:
        subscriber(news)
