"""Boards of TAMSK near the end of a game, and moves played on them."""

import pytest

from games.tamsk import GAME
from games.tamsk.rules import Position, Rules


@pytest.fixture
def at_the_end():
    """Makes a board of full spaces but for those given, such as `a1=r0 a2=1`."""

    def make(spaces: str, rings="9,9", to_move="red") -> Position:
        lines = [["0"] * size for size in (4, 5, 6, 7, 6, 5, 4)]
        for space in spaces.split():
            name, there = space.split("=")
            lines["abcdefg".index(name[0])][int(name[1]) - 1] = there
        return GAME.position(Rules(), f"{'/'.join(map(''.join, lines))} {rings} {to_move}")

    return make
