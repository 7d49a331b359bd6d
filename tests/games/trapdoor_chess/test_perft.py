"""Turns counted from the start: a man's move times the squares that the trap may go to."""

import pytest

from games.__main__ import perft
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules


def test_perft():
    start = GAME.start(Rules(), "")
    assert [perft(start, depth) for depth in (1, 2)] == [640, 392_240]


@pytest.mark.parametrize(("incheck", "turns"), [("before", 6), ("after", 6 * 59)])
def test_a_side_in_check_has_few_turns_or_many(board, incheck, turns):
    position = board(
        """
        k . . . r
        . . . . .
        . @ . . .
        P . . . K
        . . . . .
        """,
        rules=Rules(incheck=incheck),
    )
    assert position.count() == len(set(position.moves())) == turns
