"""Boards of PÜNCT from a few pieces."""

import pytest

from games.protocol import Side
from games.punct import GAME
from games.punct.rules import LETTERS, NAMES, Piece, Position


@pytest.fixture
def few():
    """Makes a position of a few pieces, each put on those before it: `w0:f3/f4/g5 b1:g3/g4/g5`."""

    def make(pieces: str, to_move="white", preset="") -> Position:
        placed = []
        for text in pieces.split():
            owner, where = text.split(":")
            placed.append(Piece(int(owner[1:]), Side(LETTERS.index(owner[0])), where))
        made = Position(GAME.presets[preset], tuple(sorted(placed)), Side(NAMES.index(to_move)))
        return GAME.position(GAME.presets[preset], str(made))

    return make
