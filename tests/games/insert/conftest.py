"""Boards as pictures: one line per row, row 6 on top, `O` white, `X` black, `.` empty."""

import re

import pytest

from games.insert import GAME
from games.insert.board import TILES, assemble
from games.insert.rules import Rules

LAYOUT = assemble(TILES)


@pytest.fixture
def layout():
    r"""Our four tiles as they stand in their table: the cells that newsletter 49 names are as it says.

    6  / | / \ | -
    5  - | | | \ /
    4  \ - / - - \
    3  / - | | - \
    2  / - \ \ / |
    1  \ / | - \ /
       a b c d e f
    """
    return LAYOUT


@pytest.fixture
def board():
    """board(picture, last, layout, rules): the side to move follows from the number of rings."""

    def drawn(picture, last, layout=LAYOUT, rules=None):
        rows = ["".join(row.split()).lower() for row in picture.strip().splitlines()]
        text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
        marks = "".join(layout.split())
        return GAME.position(rules or Rules(), f"{marks} {text} {last}")

    return drawn
