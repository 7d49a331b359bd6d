"""Counts of turn sequences, as independent engines give them."""

import pytest

from games.__main__ import perft
from games.emergo.rules import Rules, start


@pytest.mark.prove
def test_four_turns():
    counts = [perft(start(Rules()), depth) for depth in (1, 2, 3, 4)]
    assert counts == [40, 1_504, 55_172, 1_828_116]
