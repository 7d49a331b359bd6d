"""Boards of YINSH from a few rings and markers."""

import pytest

from games.yinsh import GAME
from games.yinsh.board import BOARD
from games.yinsh.rules import Position, Rules


@pytest.fixture
def few():
    """Makes a position: `W:e5,f5 B:g8 w:c3,c4`, rings in capitals and markers in small letters."""

    def make(there: str, to_move="white", rings=3) -> Position:
        letters = {name: part[0] for part in there.split() for name in part[2:].split(",") if name}
        assert letters.keys() <= BOARD.bit.keys()
        text = "/".join("".join(letters.get(name, "-") for name in row) for row in BOARD.rows)
        return GAME.position(Rules(rings), f"{text} {to_move}")

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
