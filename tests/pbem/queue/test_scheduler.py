"""Beat goes on when the machine's clock is set back, in one process and alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from celery import Celery
from celery.beat import Scheduler as Plain
from celery.schedules import crontab

from pbem.queue.timer import Persistent, Scheduler

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND, YEAR = timedelta(seconds=1), timedelta(days=365)


@dataclass
class Clock:
    now: datetime = NOON


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(Celery, "now", lambda app: clock.now)
    return clock


def beat(clock: Clock, kind: Callable[..., Plain], file: Path) -> tuple[Plain, list[datetime]]:
    """And when it sends the task that is due every fifteen seconds."""
    app, sent = Celery(set_as_current=False), list[datetime]()
    app.conf.beat_schedule = {
        "sweep": {"task": "sweep", "schedule": 15.0},
        "night": {"task": "night", "schedule": crontab(hour=3, minute=17)},
    }
    scheduler = kind(app=app, schedule_filename=str(file))
    scheduler.apply_entry = lambda entry, producer=None: sent.append(clock.now)
    scheduler.__dict__["producer"] = None
    return scheduler, sent


def goes_on(scheduler: Plain, clock: Clock, seconds: int) -> None:
    for _ in range(seconds):
        while scheduler.tick() == 0:
            pass
        clock.now += SECOND


@pytest.mark.parametrize("kind", [Scheduler, Persistent])
@pytest.mark.parametrize("jump", [-YEAR, timedelta(hours=-1), timedelta(seconds=-20), 10 * YEAR])
def test_a_sweep_comes_within_an_interval_of_any_jump(
    kind: Callable[..., Plain], jump: timedelta, clock: Clock, tmp_path: Path
) -> None:
    scheduler, sent = beat(clock, kind, tmp_path / "beat")
    goes_on(scheduler, clock, 60)
    assert len(sent) >= 3
    del sent[:]
    clock.now += jump
    goes_on(scheduler, clock, 60)
    assert len(sent) >= 3
    assert len(sent) <= 6
    scheduler.close()


def test_what_was_written_down_while_the_clock_was_ahead_is_not_believed(
    clock: Clock, tmp_path: Path
) -> None:
    clock.now += YEAR
    before, _ = beat(clock, Persistent, tmp_path / "beat")
    goes_on(before, clock, 60)
    before.close()
    clock.now = NOON
    after, sent = beat(clock, Persistent, tmp_path / "beat")
    goes_on(after, clock, 60)
    assert len(sent) >= 3
    after.close()
