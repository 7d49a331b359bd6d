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
