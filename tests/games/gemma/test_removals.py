"""Men who cannot move leave the board: who may, who may not and what comes of it."""

from random import Random

import pytest

from games.gemma import GAME
from games.gemma.rules import Removal
from games.lines_of_action.board import PASS
from games.lines_of_action.rules import Rules
from games.protocol import Objection, Outcome, Side


def written(position, start=""):
    return {str(move) for move in position.moves() if str(move).startswith(start)}


def played(position, *texts):
    for text in texts:
        move = GAME.move(text)
        assert position.objection(move) is None
        position = position.play(move)
    return position


def objection(position, text):
    return str(position.objection(GAME.move(text)))


STUCK = """
    . . . . . . . .
    . . . . . . . x
    . x . . . . . .
    . . . . o . . .
    . . . o . . . .
    . . . . . . . .
    # . . . . . . .
    o . # . . . x .
"""


def test_a_man_who_cannot_move_may_be_removed_and_may_win_by_it(board):
    """The second example of the rules page."""
    position = board(STUCK)
    assert written(position, "a1") == set()
    assert written(position, "x") == {"xa1"}
    after = played(position, "xa1")
    assert str(after) == "8/7x/1x6/4o3/3o4/8/#7/#1#3x1 x"
    assert after.outcome() == Outcome(Side.FIRST, "joined")
    assert written(after) == set()


def test_a_removal_is_a_turn_beside_others(board):
    assert "d4-d5" in written(board(STUCK))
    assert len(written(board(STUCK))) == board(STUCK).count()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("xd4", "can_move d4"),
        ("xa2", "empty a2"),
        ("xh8", "empty h8"),
        ("xg1", "not_yours g1"),
        ("xa9", "off_board a9"),
        ("a2-a3", "empty a2"),
        ("a1-a2", "vanished a2"),
        ("a1-c1", "vanished c1"),
        ("a1-d4", "own_man d4"),
        ("pass", "no_pass"),
    ],
)
def test_why_not(board, text, why):
    assert objection(board(STUCK), text).startswith(why)


def test_who_may_not_be_removed_is_told_a_move(board):
    position = board(STUCK)
    code, man, target = objection(position, "xd4").split()
    assert (code, man) == ("can_move", "d4")
    assert f"d4-{target}" in written(position)


def test_who_can_only_capture_is_not_removed(board):
    position = board("""
        . x . .
        # . . o
        # # . .
        o # x .
    """)
    assert written(position, "a1") == {"a1xc1"}
    assert objection(position, "xa1") == "can_move a1 c1"


def test_a_removal_may_leave_a_single_man_who_is_a_group(board):
    position = board("""
        . o . . . x
        . . . . . .
        # # . . . .
        o # # . . x
    """)
    assert played(position, "xa1").outcome() == Outcome(Side.FIRST, "joined")


def test_after_a_removal_that_joins_nobody_the_game_goes_on(board):
    position = board("""
        . o . . . x
        . . . . . .
        # # . o . .
        o # # . . x
    """)
    assert played(position, "xa1").outcome() is None


def test_a_side_whose_men_are_all_stuck_removes_one(board):
    position = board(
        """
        o x o
        # # #
        o x o
        """,
        rules=Rules(size=3, stuck="loss"),
    )
    assert position.outcome() is None
    assert written(position) == {"xa1", "xc1", "xa3", "xc3"}
    assert position.count() == 4
    assert position.objection(PASS) == Objection("no_pass")


def test_every_turn_is_drawn_equally_often_removals_too(board):
    rng, position = Random(6), board(STUCK)
    moves = set(position.moves())
    drawn = [position.sample(rng) for _ in range(400 * len(moves))]
    assert set(drawn) == moves
    assert Removal("a1") in moves
    # 400 expected each, standard deviation 20
    assert all(310 < drawn.count(move) < 490 for move in moves)
