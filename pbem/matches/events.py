"""Events of matches, and their subscribers in the apps above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from pbem.matches.models import Event, Match
from pbem.queue.sql import insert

Subscriber = Callable[[Sequence[Event]], None]

_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> None:
    """Adds a subscriber at start-up; it runs in the transaction of the events."""
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
    """Records the event and notifies the subscribers, in the caller's transaction."""
    event = Event(
        match=match, kind=kind, side=side, ply=match.ply, letter=letter, facts=facts, happened_at=now
    )
    insert([event])
    for subscriber in _subscribers:
        subscriber([event])
    return event


def record_events(events: Sequence[Event]) -> None:
    """Records unsaved events of different matches, without a side, and notifies the subscribers."""
    Event.objects.bulk_create(events)
    for subscriber in _subscribers:
        subscriber(events)
