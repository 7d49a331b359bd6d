"""What the robots have played against each other, and what is told of it."""

import pytest

from games.registry import games, names
from games.robots.ladder import above_first, interval, results

PAGES = {"README.md": "%d%%", "README.it.md": "%d%%"}


def test_an_interval_is_as_in_the_tables():
    assert interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval(1, 40) == pytest.approx((0.9124, 1), abs=1e-4)
    assert interval(0, 40) == pytest.approx((0, 0.0876), abs=1e-4)


def test_each_level_is_above_the_one_below_it():
    for key in games():
        if above := above_first(key):
            assert list(above) == [1, 2, 3]
            assert above[1] == 0 < above[2] - 140 < above[3] - 280, f"{key}: 70 % are some 147 points"
    assert above_first("chess") == {}
    assert {result.name for result in results()} <= set(names())
