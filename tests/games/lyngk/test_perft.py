"""Counts of turn sequences, as an independent engine gives them."""

import pytest

from games.__main__ import perft
from games.lyngk.rules import Rules, start

ONE = "IRBBJRIKRRKIKBIGIGGGJKRIKKGRBJIRBGKIGBRBKBG"
OTHER = "RRJKBIBIKJKIKRGIRGKBIBGGKRBBRKBIRGRGBKIGJIG"


@pytest.mark.parametrize(
    ("setup", "depth", "count"),
    [
        (ONE, 1, 1_088),
        (OTHER, 1, 1_060),
        pytest.param(ONE, 2, 815_257, marks=pytest.mark.prove),
        pytest.param(OTHER, 2, 773_362, marks=pytest.mark.prove),
    ],
)
def test_from_a_set_up(setup, depth, count):
    assert perft(start(Rules(), setup), depth) == count
