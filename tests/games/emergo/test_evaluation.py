"""How a robot sees Emergo: captures that lead to others, prisoners, the last column of a side."""

import pytest

from games.emergo import GAME
from games.emergo.evaluation import CAP, EVALUATOR, PRISONER
from games.emergo.rules import Rules
from games.engine.robot import think
from games.engine.search import WIN

CHOICE = (
    "c3:W b4:B d4:B d6:B c7:B hands=11,8 move=white"  # on e5 the column would be taken, on the border never
)


def test_prisoners_count_for_the_side_that_leads_them():
    position = GAME.position(Rules(), "c3:W2B b8:B3 hands=10,8 move=white")
    assert EVALUATOR(position).node(position)[-1] == CAP * (10 - 8) + CAP * 2 + PRISONER - CAP * 3


@pytest.mark.parametrize("level", [2, 3])
def test_it_takes_where_it_is_not_taken(level):
    position = GAME.position(Rules(), CHOICE)
    assert {str(move) for move in position.moves()} == {"c3xa5", "c3xe5"}
    assert str(think(GAME, position, level, seed=level).move) == "c3xa5"


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_to_take_the_last_column_wins(level):
    thought = think(GAME, GAME.position(Rules(), "c3:W10B11 d4:B h8:W2 hands=0,0 move=white"), level, seed=1)
    assert (str(thought.move), thought.score) == ("c3xe5", WIN - 1)


def test_a_blocked_side_has_what_the_rules_say():
    for blocked, result in (("draw", 0), ("loss", -1)):
        position = GAME.position(Rules(blocked), "a1:W12 b2:B6 c3:B6 hands=0,0 move=white")
        evaluator = EVALUATOR(position)
        assert not evaluator.children(evaluator.node(position), 1, 0)
        assert evaluator.stuck(evaluator.node(position)) == result
