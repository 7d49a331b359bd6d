"""Boards as pictures: the last row on top, White's men in capitals, `*` a vanished square, `.` an empty one."""

import re

import pytest

from games.cheshire import GAME
from games.cheshire.position import Rules


@pytest.fixture
def board():
    """board(picture, side to move, unmoved kings, square just passed, rules): a smaller picture lies at the lower
    left.
    """

    def drawn(picture, to_move="w", kings="-", passed="-", rules=None):
        rules = rules or Rules()
        rows = [row.replace(" ", "").ljust(rules.size, ".") for row in picture.strip().splitlines()]
        rows = ["." * rules.size] * (rules.size - len(rows)) + rows
        men = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
        return GAME.position(rules, f"{men} {to_move} {kings} {passed}")

    return drawn


@pytest.fixture
def written():
    """All legal moves of a position, or those that begin alike."""

    def listed(position, start=""):
        return {str(move) for move in position.moves() if str(move).startswith(start)}

    return listed


@pytest.fixture
def objection():
    """What is held against a canonical move, as text."""

    def against(position, text):
        return str(position.objection(GAME.move(text)))

    return against


@pytest.fixture
def played():
    """The position after these legal moves."""

    def after(position, *texts):
        for text in texts:
            move = GAME.move(text)
            assert position.objection(move) is None, text
            position = position.play(move)
        return position

    return after
