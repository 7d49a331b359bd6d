"""How a robot sees Bashni: captures that lead to others, kings, prisoners, the last column of a side."""

import pytest

from games.bashni import GAME
from games.bashni.evaluation import ADVANCE, BELOW, CROWNED, EVALUATOR, KING, MAN
from games.bashni.rules import Rules
from games.engine.robot import think
from games.engine.search import WIN


def value(text):
    position = GAME.position(Rules(), text)
    evaluator = EVALUATOR(position)
    return evaluator.value(evaluator.node(position))


def test_a_value_is_what_the_pieces_of_a_side_are_worth():
    assert value("a1=w b8=b quiet=0 move=white") == 0
    assert value("e3=bWwW b8=b quiet=0 move=white") == KING + 2 * BELOW + CROWNED - MAN
    assert value("c3=w b8=b quiet=0 move=white") == 2 * ADVANCE == -value("c3=w b8=b quiet=0 move=black")


def test_prisoners_count_for_neither_side():
    assert value("a1=bbw b8=b quiet=0 move=white") == value("a1=w b8=b quiet=0 move=white")


@pytest.mark.parametrize("level", [2, 3])
def test_it_takes_where_it_is_not_taken(level, board):
    """On e5 the captor would be taken, on a5 at the border never."""
    position = board("""
          .   .   .   .
        .   .   .   b
          .   .   b   .
        .   .   .   .
          b   b   .   .
        .   w   .   .
          .   .   .   .
        .   .   .   w
    """)
    assert {str(move) for move in position.moves()} == {"c3xa5", "c3xe5"}
    assert str(think(GAME, position, level, seed=level).move) == "c3xa5"


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_to_take_the_last_column_wins(level, board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   wb  .   .
        .   w   .   w
          .   .   .   .
        .   .   .   .
    """)
    thought = think(GAME, position, level, seed=1)
    assert (str(thought.move), thought.score) == ("c3xe5", WIN - 1)


@pytest.mark.parametrize("level", [2, 3])
def test_a_man_about_to_be_crowned_is_crowned(level, board):
    position = board("""
          .   .   .   .
        .   w   .   .
          .   .   .   b
        .   .   .   .
          .   .   .   .
        .   .   w   .
          .   .   .   .
        .   .   .   .
    """)
    assert str(think(GAME, position, level, seed=1).move) in {"c7-b8", "c7-d8"}


def test_a_side_without_a_turn_has_lost(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   b   .   .
          b   .   .   .
        w   .   .   .
    """)
    evaluator = EVALUATOR(position)
    node = evaluator.node(position)
    assert not evaluator.forced(node)
    assert not evaluator.children(node, 1, 0)
    assert evaluator.stuck(node) == -1
