"""Boards of Bashni as pictures, like those that players get."""

import pytest

from games.bashni import GAME
from games.bashni.board import SQUARES
from games.bashni.rules import Position, Rules


@pytest.fixture
def board():
    """Makes a position of a picture: eight rows, the dark squares alone, `.` or a column, bottom first: `bbW`."""

    def make(picture: str, to_move="white", quiet=0, rules=Rules()) -> Position:  # noqa: B008 - immutable
        rows = [line.split() for line in reversed(picture.strip().splitlines())]
        columns = zip(SQUARES, (column for row in rows for column in row), strict=True)
        listed = "".join(f"{square}={column} " for square, column in columns if column != ".")
        return GAME.position(rules, f"{listed}quiet={quiet} move={to_move}")

    return make
