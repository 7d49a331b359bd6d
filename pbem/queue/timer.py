"""Times of a task: the current time, the arrival of the letter being answered, and Celery's beat."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from celery import beat
from django.utils import timezone

_arrival: ContextVar[datetime | None] = ContextVar("arrival", default=None)


class Timer:
    """A clock that starts at `began` and advances in whole seconds, so that a short task sees one moment."""

    def __init__(self, began: datetime) -> None:
        self._began, self._start = began, monotonic()

    @property
    def now(self) -> datetime:
        return self._began + timedelta(seconds=int(monotonic() - self._start))


@contextmanager
def answering(arrived: datetime) -> Iterator[None]:
    """Sets the arrival time for all that is written inside."""
    token = _arrival.set(arrived)
    try:
        yield
    finally:
        _arrival.reset(token)


def arrival_or_now() -> datetime:
    """Returns the arrival time of the letter being answered, else the current time."""
    return _arrival.get() or timezone.now()


# Celery beat

log = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """Reschedules tasks after the machine's clock was set back; Celery's own would wait for the old time."""

    def tick(self, *more: Any, **named: Any) -> float:
        entries: list[Any] = list(self.schedule.values())
        ahead = [entry for entry in entries if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            log.warning("the clock was set back: what was due by it is due anew")
            self._heap = None
        interval: float = super().tick(*more, **named)
        return interval


class Persistent(Scheduler, beat.PersistentScheduler):
    """The scheduler for a separate process, with a file (`--schedule`) of the last runs."""
