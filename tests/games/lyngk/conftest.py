"""Boards of LYNGK from a few stacks."""

import pytest

from games.lyngk import GAME
from games.lyngk.board import POINTS
from games.lyngk.rules import Position


@pytest.fixture
def few():
    """Makes a position of a few stacks, bottom first, `c1:R c4:BR`, and of claims with the stacks won."""

    def make(stacks: str, first="-", second="-", to_move="first", preset="") -> Position:
        there = dict(stack.split(":") for stack in stacks.split())
        assert there.keys() <= {*POINTS}
        board = "/".join(there.get(name, "-") for name in POINTS)
        return GAME.position(GAME.presets[preset], f"{board} {first} {second} {to_move}")

    return make
