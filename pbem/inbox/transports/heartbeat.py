"""The heartbeat of a component that receives letters in a process of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import close_old_connections, connection
from django.utils import timezone

from pbem.matches.clock import outages
from pbem.matches.clock.outages import PERIOD
from pbem.matches.models import Component
from pbem.parts import Parts

log = logging.getLogger(__name__)
FIRST = 1.0  # seconds; a component that cannot start reports that itself


class HeartbeatThread:
    """Beats every `PERIOD` inside `beating()`, and in `beat()` after a longer silence."""

    def __init__(self, component: Component, *, starts: bool = False) -> None:
        """`starts`: the first beat marks the start of a process."""
        self._component, self._starts = component, starts
        self._last: datetime | None = None

    def beat(self, now: datetime) -> None:
        """Beats when the last beat is PERIOD old. Call it before keeping a letter, to record an outage."""
        if self._last is None or abs(now - self._last) >= PERIOD:
            outages.beat(self._component, now=now, starts=self._last is None and self._starts)
            self._last = now

    @contextmanager
    def beating(self, lives: Callable[[], bool] = lambda: True) -> Iterator[Parts]:
        """Beats in a thread while the block runs and `lives` is true."""
        stop = threading.Event()
        thread = threading.Thread(
            target=self._beat_until, args=(stop, lives), name=f"{self._component} heart", daemon=True
        )
        thread.start()
        try:
            yield (thread,)
        finally:
            stop.set()
            thread.join(timeout=10)

    def _beat_until(self, stop: threading.Event, lives: Callable[[], bool]) -> None:
        pause = FIRST
        while not stop.wait(pause):
            try:
                if lives():
                    self.beat(timezone.now())
                close_old_connections()
            except Exception:
                log.exception("the %s cannot write down that it lives", self._component)
                connection.close()
            pause = PERIOD.total_seconds()
