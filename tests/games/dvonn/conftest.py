"""Boards of DVONN as pictures, like those that players get."""

import pytest

from games.dvonn import GAME
from games.dvonn.board import POINTS
from games.dvonn.rules import Position, Rules
from games.protocol import Side

ROWS = (9, 10, 11, 10, 9)


@pytest.fixture
def board():
    """Makes a position of a picture: five rows, row 5 on top, `.` or a stack, bottom first: `wbr`."""

    def make(picture: str, to_move="white", placing=False) -> Position:
        rows = [line.split() for line in reversed(picture.strip().splitlines())]
        assert tuple(map(len, rows)) == ROWS
        stacks = tuple(stack.replace(".", "") for row in rows for stack in row)
        position = Position(Rules(), stacks, Side(("white", "black").index(to_move)), placing)
        assert GAME.position(Rules(), str(position)) == position
        return position

    return make


@pytest.fixture
def few():
    """Makes a position of a few stacks in the second phase: `a3:r b3:wb`."""

    def make(stacks: str, to_move="white") -> Position:
        there = dict(stack.split(":") for stack in stacks.split())
        return GAME.position(Rules(), f"/{'/'.join(there.get(name, '-') for name in POINTS)} {to_move}")

    return make
