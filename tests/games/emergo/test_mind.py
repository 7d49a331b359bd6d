"""How a robot sees Emergo: captures that lead to others, prisoners, the last column of a side."""

import pytest

from games.emergo import GAME
from games.emergo.mind import CAP, MIND, PRISONER
from games.emergo.variants import Rules
from games.robots.robot import think
from games.robots.search import WIN

LAST = "d4:B2W8 b2:W3B10 e1:W hands=0,0 move=white"  # Black's only column can be taken, man by man


def test_prisoners_count_for_the_side_that_leads_them():
    position = GAME.position(Rules(), "c3:W2B b8:B3 hands=10,8 move=white")
    mind = MIND(position)
    assert mind.node(position)[-1] == CAP * (10 - 8) + CAP * 2 + PRISONER - CAP * 3


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_takes_the_last_column(level):
    position = GAME.position(Rules(), "b4:W d4:BW10 c3:W1B11 hands=0,0 move=white".replace("W1B", "WB"))
    thought = think(GAME, position, level, seed=level)
    after = position.play(thought.move)
    assert after.outcome() and after.outcome().winner == position.to_move
    assert thought.score == WIN - 1
