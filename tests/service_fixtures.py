"""What a test of the service leaves behind for none of the next ones."""

import threading
from collections.abc import Iterator

import pytest
from celery import current_app
from django.utils import translation

from pbem.matches.clock import outages
from pbem.players import services


@pytest.fixture(scope="session", autouse=True)
def _no_time_passes() -> Iterator[None]:
    """What a letter takes on a busy machine makes nothing later that is done because of it."""
    with pytest.MonkeyPatch.context() as patched:
        for clock in ("pbem.queue.timer.monotonic", "pbem.players.services.monotonic"):
            patched.setattr(clock, lambda: 0.0)
        yield


@pytest.fixture(autouse=True)
def _nothing_left_on() -> Iterator[None]:
    """One fixture for all of it: every test pays for each."""
    # What a process knows of its database is of another one: each test has its own.
    services.forget()
    outages.forget()
    yield
    # A request switches a language on for its thread; the next test starts without one.
    translation.deactivate()
    hearts = [thread for thread in threading.enumerate() if thread.name.endswith(" heart")]
    assert not hearts, "it would write to the database of every later test"
    # Every later test would wait for its broker, which has gone.
    assert current_app.main == "pbem", "Celery(..., set_as_current=False)"
