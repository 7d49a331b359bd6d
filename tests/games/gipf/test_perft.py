"""Counts of turn sequences, as independent engines give them."""

import pytest

from games.__main__ import perft
from games.gipf import GAME
from games.gipf.rules import start


@pytest.mark.parametrize(
    ("preset", "counts"),
    [("", (18, 348, 14_304)), ("standard", (30, 924, 29_016)), ("basic", (30, 924, 29_016))],
)
def test_from_the_start(preset, counts):
    position = start(GAME.presets[preset])
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == counts
