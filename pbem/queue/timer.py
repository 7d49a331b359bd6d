"""What time it is in the midst of a task, which was told when it began; and what it is about came when."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from time import monotonic

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
