"""Counts of turn sequences, as an independent engine gives them; two orders of the same actions are two turns."""

import pytest

from games.__main__ import perft
from games.tzaar import GAME
from games.tzaar.rules import start


@pytest.mark.parametrize(
    ("preset", "depth", "count"),
    [
        ("", 1, 42),
        pytest.param("", 2, 260_556, marks=pytest.mark.prove),
        ("free", 1, 180),
        ("free", 2, 31_860),
    ],
)
def test_from_the_start(preset, depth, count):
    assert perft(start(GAME.presets[preset]), depth) == count
