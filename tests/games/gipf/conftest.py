"""Boards of GIPF from a few pieces."""

import pytest

from games.gipf import GAME
from games.gipf.board import BIT, LINES, SPOTS
from games.gipf.rules import Position


@pytest.fixture
def few():
    """Makes a position: `w:c3,c4 W:e2 B:e8`, single pieces in small letters and GIPF-pieces in capitals."""

    def make(there: str, to_move="white", preset="standard", reserve="9,9", opening="0,0") -> Position:
        letters = {name: part[0] for part in there.split() for name in part[2:].split(",") if name}
        assert all(BIT[name] & SPOTS for name in letters)
        lines = ([name for name in line if BIT[name] & SPOTS] for line in LINES[1:-1])
        board = "/".join("".join(letters.get(name, "-") for name in line) for line in lines)
        text = f"{board} reserve={reserve} opening={opening} {to_move}"
        return GAME.position(GAME.presets[preset], text)

    return make
