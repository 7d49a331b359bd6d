"""As many sequences of turns as other programs count; a forced pass is a turn."""

import pytest

from games.__main__ import perft
from games.othello import GAME

COUNTS = {
    "": (4, 12, 56, 244, 1_396, 8_200, 55_092),  # published, and OpenSpiel's
    "6": (4, 12, 56, 244, 1_364, 7_604, 47_740),
    "10": (4, 12, 56, 244, 1_396, 8_200, 55_180),
    "reversi": (4, 12, 24, 24, 96, 320, 1_536),
}


@pytest.mark.parametrize("preset", COUNTS)
def test_counts_of_turn_sequences(preset):
    start = GAME.start(GAME.presets[preset], "")
    assert tuple(perft(start, depth) for depth in range(1, 8)) == COUNTS[preset]


@pytest.mark.prove
@pytest.mark.parametrize(("depth", "count"), [(8, 390_216), (9, 3_005_288)])
def test_published_counts_beyond(depth, count):
    assert perft(GAME.start(GAME.presets[""], ""), depth) == count
