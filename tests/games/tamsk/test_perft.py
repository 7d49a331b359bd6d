"""Counts of turn sequences, as an independent engine gives them."""

import pytest

from games.__main__ import perft
from games.tamsk.rules import Rules, start


@pytest.mark.parametrize(("depth", "count"), [(1, 9), (2, 81), (3, 858), (4, 8_994), (5, 100_146)])
def test_from_the_start(depth, count):
    assert perft(start(Rules()), depth) == count
