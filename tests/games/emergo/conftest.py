"""Boards of Emergo as pictures, like those that players get."""

import re

import pytest

from games.emergo import GAME
from games.emergo.board import MEN, SQUARES
from games.emergo.rules import Position, Rules


@pytest.fixture
def board():
    """Makes a position of a picture: nine rows, the dark squares alone, `.` or a column: `W`, `B2W3`.

    Men that are not on the board are in hand.
    """

    def make(picture: str, to_move="white", rules=Rules()) -> Position:  # noqa: B008 - immutable
        rows = [line.split() for line in reversed(picture.strip().splitlines())]
        columns = dict(zip(SQUARES, (column for row in rows for column in row), strict=True))
        columns = {square: column for square, column in columns.items() if column != "."}
        hands = ",".join(str(MEN - sum(men(column, side) for column in columns.values())) for side in "WB")
        listed = "".join(f"{square}:{column} " for square, column in columns.items())
        return GAME.position(rules, f"{listed}hands={hands} move={to_move}")

    return make


def men(column: str, side: str) -> int:
    """How many men of a side stand in a column."""
    return sum(int(count or 1) for letter, count in re.findall(r"([WB])(\d*)", column) if letter == side)
