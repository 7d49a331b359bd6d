"""Counts of turn sequences, as an independent engine gives them; without stacking, those of Russian draughts."""

import pytest

from games.__main__ import perft
from games.bashni.rules import Rules, start

COLUMNS = [7, 49, 302, 1_469, 7_482, 37_908, 189_912]
DRAUGHTS = [7, 49, 302, 1_469, 7_482, 37_986, 190_146]  # as published


@pytest.mark.parametrize("depth", range(1, 7))
def test_turns_of_columns(depth):
    assert perft(start(Rules()), depth) == COLUMNS[depth - 1]


@pytest.mark.parametrize("depth", range(1, 7))
def test_without_stacking_it_is_russian_draughts(depth):
    assert perft(start(Rules(stacking=False)), depth) == DRAUGHTS[depth - 1]


@pytest.mark.prove
def test_seven_turns():
    assert perft(start(Rules()), 7) == COLUMNS[6]
    assert perft(start(Rules(stacking=False)), 7) == DRAUGHTS[6]
