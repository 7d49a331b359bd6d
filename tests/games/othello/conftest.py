"""Boards as pictures: one line per row, row 1 on top, `X` black, `O` white, `.` empty."""

import re

import pytest

from games.othello import GAME
from games.othello.rules import Rules


@pytest.fixture
def board():
    """board(picture, "x" or "o" to move, rules): a smaller picture lies at the upper left."""

    def drawn(picture, to_move="x", rules=None):
        rules = rules or Rules()
        rows = ["".join(row.split()).lower().ljust(rules.size, ".") for row in picture.strip().splitlines()]
        rows += ["." * rules.size] * (rules.size - len(rows))
        text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
        return GAME.position(rules, f"{text} {to_move}")

    return drawn
