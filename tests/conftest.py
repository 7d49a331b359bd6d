"""Fixtures for tests of every part: the standing cast with its post, and a browser."""

from collections.abc import Iterator

import pytest
from django.utils import translation

pytest_plugins = ["tests.browser", "tests.cast"]


@pytest.fixture(autouse=True)
def _no_language_left_on() -> Iterator[None]:
    """A request switches a language on for its thread; the next test starts without one."""
    yield
    translation.deactivate()
