"""The one place where the apps above hear what happened below them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from pbem.matches.models import Event, Match
from pbem.queue.sql import insert

Subscriber = Callable[[Sequence[Event]], None]

_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> None:
    """Apps call this when they start; the subscriber runs inside the transaction of the events."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def record_event(
    match: Match,
    kind: Event.Kind,
    *,
    now: datetime,
    side: int | None = None,
    letter: int | None = None,
    **facts: Any,
) -> Event:
    """Write the event and tell every subscriber, in the caller's transaction."""
    event = Event(
        match=match, kind=kind, side=side, ply=match.ply, letter=letter, facts=facts, happened_at=now
    )
    insert([event])
    for subscriber in _subscribers:
        subscriber([event])
    return event


def record_events(events: Sequence[Event]) -> None:
    """The same for events that are in no table yet, each of another match, with nobody at the board."""
    Event.objects.bulk_create(events)
    for subscriber in _subscribers:
        subscriber(events)
