"""How a robot sees TAMSK: its nodes follow the rules, and it finds the last move."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import PROVEN
from games.tamsk import GAME
from games.tamsk.evaluation import EVALUATOR
from games.tamsk.rules import Rules, start


def test_children_are_the_positions_after_all_moves():
    rng, position = Random(1), start(Rules())
    while not position.outcome():
        evaluator = EVALUATOR(position)
        children = evaluator.children(evaluator.node(position), 1, 0)
        moves = {str(move): move for move in position.moves()}
        assert {str(evaluator.move(position, action)) for action, _ in children} == moves.keys()
        for action, node in children:
            move = evaluator.move(position, action)
            assert evaluator.node(position.play(move)) == node
        position = position.play(position.sample(rng))


def test_a_value_is_the_opposite_for_the_other_side(at_the_end):
    mine, theirs = (at_the_end("a1=r0 a2=1 a3=1 g1=b0", "5,5", side) for side in ("red", "black"))
    evaluator = EVALUATOR(mine)
    assert evaluator.value(evaluator.node(mine)) == -evaluator.value(evaluator.node(theirs)) > 0


@pytest.mark.parametrize("level", [2, 3])
def test_it_counts_the_moves_that_are_left(level):
    position = GAME.position(Rules(), "10r0b0/b00000/000200/100r0101/b000000/00001/0r001 4,4 red")
    thought = think(GAME, position, level, seed=1)
    assert str(thought.move) == "d4-c4"
    assert thought.score > PROVEN
