"""What the robots have played against each other, and what is told of it."""

from pathlib import Path

import pytest

from games.engine.robot import above_first, interval, results, table
from games.registry import games, names


def test_the_measurements_say_what_was_played():
    for language, page in (("en", "docs/measurements.md"), ("it", "docs/measurements.it.md")):
        assert table(language) in Path(page).read_text("utf-8")


def test_an_interval_is_as_in_the_tables():
    assert interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval(1, 40) == pytest.approx((0.9124, 1), abs=1e-4)
    assert interval(0, 40) == pytest.approx((0, 0.0876), abs=1e-4)


def test_each_level_is_above_the_one_below_it():
    for key in games():
        if above := above_first(key):
            assert list(above) == [1, 2, 3]
            assert above[1] == 0 < above[2] - 70 < above[3] - 140, f"{key}: 60 % are 70 points"
    assert above_first("chess") == {}
    assert {result.name for result in results()} <= set(names())
