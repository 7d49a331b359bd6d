"""Boards as pictures: as those of Lines of Action, and `#` where a square has vanished."""

import re

import pytest

from games.gemma import GAME
from games.lines_of_action.rules import Rules


@pytest.fixture
def board():
    """board(picture, "o" or "x" to move, rules): a smaller picture lies at the lower left."""

    def drawn(picture, to_move="o", rules=None):
        rules = rules or Rules()
        rows = [row.lower().replace(" ", "").ljust(rules.size, ".") for row in picture.strip().splitlines()]
        rows = ["." * rules.size] * (rules.size - len(rows)) + rows
        text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
        return GAME.position(rules, f"{text} {to_move}")

    return drawn
