"""How a robot sees Lines of Action: groups, passes, draws, and which of two boards is better."""

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.lines_of_action import GAME
from games.lines_of_action.board import PASS
from games.lines_of_action.evaluation import EVALUATOR
from games.lines_of_action.rules import Rules
from tests.games.lines_of_action.test_rules import BOTH, DEADLOCK, STUCK

LEVELS = [1, 2, 3, 4]


@pytest.mark.parametrize("level", LEVELS)
def test_it_joins_its_men_where_it_can(level):
    position = GAME.position(Rules(size=6), "5x/6/x1o3/6/2o3/x2o2 o")
    thought = think(GAME, position, level, seed=level)
    assert str(thought.move) in ("c4-b3", "c4-d3")
    assert thought.score == WIN - 1


@pytest.mark.parametrize("level", LEVELS)
def test_it_joins_both_sides_where_that_wins_and_not_where_it_draws(board, level):
    assert str(think(GAME, board(BOTH), level, seed=1).move) == "h3xf3"
    position = board(BOTH, rules=Rules(double="draw"))
    action = EVALUATOR(position).node(position.play(GAME.move("h3xf3")))
    assert EVALUATOR(position).result(action) == 0


def test_it_does_not_join_the_other_side(board):
    position = board("""
        . x . . . . . .
        x x . . . . . .
        . . . . . . . .
        o . . o . . . .
        . . . . . x . o
        . . . . . . . .
        . . . . . . . .
    """)
    for seed in range(12):
        assert str(think(GAME, position, 1, seed).move) != "h3xf3"


def test_it_passes_where_it_has_to(board):
    position = board(STUCK, rules=Rules(size=3))
    assert think(GAME, position, 2, seed=1).move == PASS
    for rules, result in ((Rules(size=3), 0), (Rules(size=3, stuck="loss"), -1)):
        shut = board(DEADLOCK, rules=rules)
        evaluator = EVALUATOR(shut)
        assert not evaluator.children(evaluator.node(shut), 1, 0)
        assert evaluator.stuck(evaluator.node(shut)) == result


def test_men_near_each_other_and_near_the_centre_are_worth_more():
    def value(men):
        position = GAME.position(Rules(), f"{men} o")
        return EVALUATOR(position).value(EVALUATOR(position).node(position))

    near = value("8/8/2o5/4o3/2o5/8/x6x/8")
    edge = value("o7/2o5/o7/8/8/8/x6x/8")
    apart = value("o7/8/8/4o3/7o/8/x6x/8")
    assert near > edge > apart


def test_a_position_of_the_match_that_comes_again_is_a_draw():
    position = GAME.start(Rules(), "")
    best = think(GAME, position, 1, seed=2)
    again = think(GAME, position, 1, seed=2, earlier=[position.play(best.move)])
    assert best.score > 0
    assert again.move != best.move
