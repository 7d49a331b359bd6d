"""Fixtures for tests of every part: the standing cast with its post, a browser, a game from elsewhere."""

import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import current_app
from django.utils import translation
from hypothesis import settings

from games import registry
from pbem.matches.clock import outages
from pbem.players import services
from tests import examples as _profiles  # noqa: F401 - it registers them

pytest_plugins = ["tests.broker", "tests.browser", "tests.players_fixtures", "tests.migrated"]

settings.load_profile("thorough")  # of tests.examples; `--hypothesis-profile quick` for another
gc.disable()  # until all tests are collected: nothing of that is thrown away


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs all letters goes first: one process gets the beginning, and idle ones help with the end."""
    items.sort(key=lambda item: "letters" not in getattr(item, "fixturenames", ()))


def pytest_collection_finish() -> None:
    """Garbage is looked for seldom, and never among what was there before the first test: an eighth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    gc.enable()


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


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nim, which somebody else wrote, is installed: its distribution lies on the path, found as any other is."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "games" / "plugin")
    find_games = registry.games
    find_games.cache_clear()
    yield
    find_games.cache_clear()
