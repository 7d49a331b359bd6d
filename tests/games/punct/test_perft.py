"""Counts of turn sequences, as an independent engine gives them."""

from collections import Counter

import pytest

from games.__main__ import perft
from games.punct.board import PLACEMENTS
from games.punct.rules import Rules, start


@pytest.mark.parametrize(
    ("centre", "depth", "count"),
    [
        ("closed", 1, 4_986),
        ("open", 1, 4_986),
        pytest.param("closed", 2, 23_841_810, marks=pytest.mark.prove),
    ],
)
def test_from_the_empty_board(centre, depth, count):
    assert perft(start(Rules(centre)), depth) == count


def test_the_first_turns_by_kind():
    kinds = Counter(PLACEMENTS[move.target].kind for move in start(Rules()).moves())
    assert kinds == {"T": 954, "C": 444, "E": 888, "M": 900, "L": 900, "R": 900}
