"""What time it is in the midst of a task, which was told when it began; and what it is about came when."""

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
    """`now` goes on with the time that a task takes, in whole seconds: what took less ended when it began."""

    def __init__(self, began: datetime) -> None:
        self._began, self._start = began, monotonic()

    @property
    def now(self) -> datetime:
        return self._began + timedelta(seconds=int(monotonic() - self._start))


@contextmanager
def answering(arrived: datetime) -> Iterator[None]:
    """Whatever is written inside is written because of what arrived then."""
    token = _arrival.set(arrived)
    try:
        yield
    finally:
        _arrival.reset(token)


def arrival_or_now() -> datetime:
    return _arrival.get() or timezone.now()


# Celery's beat on a machine whose clock is set back.

log = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """Celery's own would wait until the clock shows again what it has shown: for as long nothing would be swept."""

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
    """For a process of its own, with a file (`--schedule`) that says when each task was last due."""
