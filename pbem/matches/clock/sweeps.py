"""When each sweep was last done: signs of life of a worker say nothing of beat, nor of who hangs."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from pbem.matches.models import Sweep

SWEEPS = ("inbox", "outbox", "clocks", "deadlines", "robots")  # as CELERY_BEAT_SCHEDULE calls them
LATE = 8 * settings.SWEEP_SECONDS  # one may take a while, or find the machine busy


def done(name: str, *, now: datetime) -> None:
    Sweep.objects.bulk_create(
        [Sweep(name=name, done_at=now)],
        update_conflicts=True,
        update_fields=["done_at"],
        unique_fields=["name"],
    )


def expected(*, now: datetime) -> None:
    """A worker has begun: from now on those that were never done are missed."""
    Sweep.objects.bulk_create([Sweep(name=name, done_at=now) for name in SWEEPS], ignore_conflicts=True)
