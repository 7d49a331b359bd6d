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


@pytest.fixture
def written():
    """The legal moves, as a set of texts."""
    return lambda position: {str(move) for move in position.moves()}


@pytest.fixture
def played():
    """Plays moves, canonical and parted by blanks."""

    def play(position, moves):
        for text in moves.split():
            move = GAME.move(text)
            assert position.objection(move) is None, text
            position = position.play(move)
        return position

    return play
