"""Fixtures for tests of every part: the standing cast with its post, and a browser."""

pytest_plugins = ["tests.browser", "tests.cast"]
