"""Counts of turn sequences, as independent engines give them."""

import pytest

from games.__main__ import perft
from games.yinsh import GAME
from games.yinsh.rules import Rules, start


@pytest.mark.parametrize(("depth", "count"), [(1, 85), (2, 7_140)])
def test_from_the_start(depth, count):
    assert perft(start(Rules()), depth) == count


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 86), (2, 6_258), pytest.param(3, 486_978, marks=pytest.mark.prove)]
)
def test_with_all_rings_placed(depth, count, played):
    position = start(GAME.presets["blitz"])
    for left, ring in zip(
        range(85, 75, -1), ["e3", "a5", "b5", "c6", "d6", "e4", "h7", "g2", "g3", "g8"], strict=True
    ):
        assert position.count() == left
        position = played(position, ring)
    assert perft(position, depth) == count
    assert played(position, "h7-g7").on("h7") == "w"
