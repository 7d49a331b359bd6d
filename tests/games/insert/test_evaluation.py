"""How a robot sees Insert: fives, captures that make or stop them, groups at the end."""

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.insert import GAME
from games.insert.evaluation import EVALUATOR, FREE

FOUR = """
    . . . . . .
    . x . x . .
    . . . . x .
    . . . . . .
    o o o o . .
    x . . . . .
"""


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_completes_a_five(board, level):
    position = board(FOUR, last="e4", layout="|" * 36)  # the last ring sends White to column e
    thought = think(GAME, position, level, seed=level)
    assert (str(thought.move), thought.score) == ("e2", WIN - 1)


def test_it_knows_who_has_won_at_the_end(board):
    full = """
        o o o o x x
        x x x x o o
        o o x o x x
        x x o x o o
        o o x o x .
        . . . . . .
    """
    rings = full.split()
    assert (rings.count("o"), rings.count("x")) == (15, 14)
    position = board(full, last="a2")
    evaluator = EVALUATOR(position)
    assert evaluator.result(evaluator.node(position)) is None
    for move in position.moves():
        after = position.play(move)
        outcome = after.outcome()
        expected = 0 if outcome.winner is None else 1 if outcome.winner == after.to_move else -1
        assert evaluator.result(evaluator.node(after)) == expected
    thought = think(GAME, position, 3, seed=1)
    assert position.play(thought.move).outcome().winner in (position.to_move, None)


def value(position):
    return EVALUATOR(position).value(EVALUATOR(position).node(position))


def test_rings_that_may_become_a_five_are_worth_more(board):
    together = board("......\n......\n..oo..\n......\n......\nx....x", last="f1")
    apart = board("o....o\n......\n......\n......\n......\nx....x", last="f1")
    assert value(together) > value(apart)


def test_to_play_where_one_likes_is_worth_something(board):
    picture = "......\n......\nxxoxox\noo.x.o\n......\n......"
    free, bound = (board(picture, last="f4", layout="-" * 12 + "-----" + mark + "-" * 18) for mark in "-|")
    assert value(free) - value(bound) == FREE
