"""Boards of Zèrtz as pictures."""

import pytest

from games.protocol import Side
from games.zertz.board import LETTERS
from games.zertz.rules import Position, position
from games.zertz.variants import Rules

STANDARD = Rules()


@pytest.fixture
def board():
    """Makes a position of a picture: `.` an empty ring, `W` `G` `B` marbles, `-` no ring.

    The marbles that are neither on the board nor captured are in the pool.
    """

    def make(
        picture: str, *, rules=STANDARD, first=(0, 0, 0), second=(0, 0, 0), to_move=Side.FIRST
    ) -> Position:
        rows = ["".join(line.split()) for line in picture.strip().splitlines()]
        pool = [
            there - sum(row.count(letter) for row in rows) - mine - theirs
            for letter, there, mine, theirs in zip(LETTERS, rules.marbles, first, second, strict=True)
        ]
        counts = (",".join(map(str, some)) for some in (pool, first, second))
        text = "{} pool={} first={} second={} move={}"
        return position(rules, text.format("/".join(rows), *counts, to_move.name.lower()))

    return make
