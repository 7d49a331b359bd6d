"""What a test of the service leaves behind for none of the next ones."""

import threading
from collections.abc import Iterator

import pytest
from celery import current_app
from django.utils import translation

from pbem.matches.clock import outages
from pbem.players import services


@pytest.fixture(autouse=True)
def _no_language_left_on() -> Iterator[None]:
    """A request switches a language on for its thread; the next test starts without one."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _no_epoch_left_on() -> None:
    """What a process knows of its database is of another one: each test has its own."""
    services.forget()
    outages.forget()


@pytest.fixture(autouse=True)
def _no_heart_left_beating() -> Iterator[None]:
    """It would write to the database of every later test."""
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.endswith(" heart")]


@pytest.fixture(autouse=True)
def _no_other_celery_left_current() -> Iterator[None]:
    """Every later test would wait for its broker, which has gone."""
    yield
    assert current_app.main == "pbem", "Celery(..., set_as_current=False)"


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a letter takes on a busy machine makes nothing later that is done because of it."""
    for clock in ("pbem.queue.timer.monotonic", "pbem.players.services.monotonic"):
        monkeypatch.setattr(clock, lambda: 0.0)
