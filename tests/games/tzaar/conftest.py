"""Boards of TZAAR from a few stacks."""

import pytest

from games.tzaar import GAME
from games.tzaar.board import POINTS
from games.tzaar.rules import Position, Rules

FAR = "a1:Z a2:A a3:T i5:z i4:a i3:t"  # all six types, so that nobody has lost yet


@pytest.fixture
def few():
    """Makes a position of a few stacks: `c3:T2 d3:z`; capitals are White's."""

    def make(stacks: str, to_move="white") -> Position:
        there = dict(stack.split(":") for stack in stacks.split())
        assert there.keys() <= {*POINTS}
        return GAME.position(Rules(), f"/{'/'.join(there.get(name, '-') for name in POINTS)} {to_move}")

    return make


@pytest.fixture
def amid(few):
    """Makes a position of a few stacks, with one of each type at two far corners."""
    return lambda stacks, to_move="white": few(f"{FAR} {stacks}", to_move)
