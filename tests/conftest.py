"""What holds for tests of every part, and a game from elsewhere."""

import gc
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from games import registry
from tests import examples as _profiles  # noqa: F401 - it registers them

# Games are plain Python: `pytest tests/games` needs no Django.
SERVICE = [
    "tests.service_fixtures",
    "tests.broker",
    "tests.browser",
    "tests.players_fixtures",
    "tests.migrated",
]
pytest_plugins = SERVICE if find_spec("django") else []

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


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nim, which somebody else wrote, is installed: its distribution lies on the path, found as any other is."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "games" / "plugin")
    find_games = registry.games
    find_games.cache_clear()
    yield
    find_games.cache_clear()
