"""Robots play a game that has just begun, by the evaluation that it begins with."""

import pytest

from games.engine import evaluation
from games.engine.evaluation import Plain
from games.engine.robot import think
from games.engine.search import WIN


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_puts_the_third_stone(three_stones, level):
    assert issubclass(evaluation.find(three_stones), Plain)
    rules = three_stones.presets[""]
    thought = think(three_stones, three_stones.position(rules, "oo1/xx1/3 o"), level, seed=level)
    assert (str(thought.move), thought.score) == ("c3", WIN - 1)
