"""Counts of turn sequences, as an independent engine gives them."""

import pytest

from games.__main__ import perft
from games.dvonn.rules import Rules, start

SETUP = "wwrwwbrwbwwbbbrwbbwwbwbbbwwwbbbwbwbbwbwwbbbbwwwbw"


@pytest.mark.parametrize(("depth", "count"), [(1, 49), (2, 2_352), (3, 110_544)])
def test_from_the_empty_board(depth, count):
    assert perft(start(Rules()), depth) == count


@pytest.mark.parametrize(
    ("depth", "count"),
    [(1, 49), (2, 1_780), (3, 89_366), pytest.param(4, 3_590_041, marks=pytest.mark.prove)],
)
def test_from_a_set_up(depth, count):
    assert perft(start(Rules("random"), SETUP), depth) == count
