"""Nim, a game that somebody else wrote and installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games import registry


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nim is installed: its distribution lies on the path, found as any other is."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "plugin")
    find_games = registry.games
    find_games.cache_clear()
    yield
    find_games.cache_clear()
