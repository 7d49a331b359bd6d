"""Celery's beat on a machine whose clock is set back."""

from __future__ import annotations

import logging
from typing import Any

from celery import beat

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
