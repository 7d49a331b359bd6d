"""How a robot sees GIPF: its nodes follow the rules, and it takes the last GIPF-piece."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import PROVEN
from games.gipf import GAME
from games.gipf.evaluation import EVALUATOR


@pytest.mark.parametrize("name", ["", "standard", "basic"])
def test_children_are_the_positions_after_the_moves(name):
    rng, position = Random(name), GAME.start(GAME.presets[name], "")
    evaluator = EVALUATOR(position)
    while not position.outcome():
        node = evaluator.node(position)
        assert evaluator.result(node) is None
        all_of_them = {
            evaluator.move(position, action): child for action, child in evaluator.children(node, 1, 0)
        }
        assert all_of_them == {move: evaluator.node(position.play(move)) for move in position.moves()}
        likely = {evaluator.move(position, action): child for action, child in evaluator.children(node, 1, 1)}
        assert len(likely) > 0
        assert likely.items() <= all_of_them.items()
        position = position.play(
            rng.choice([move for move in all_of_them if "x" in str(move)] or [*all_of_them])
        )
    won = 1 if position.outcome().winner == position.to_move else -1
    assert evaluator.result(evaluator.node(position)) == won


def test_values_are_opposite_for_both_sides(few):
    mine, theirs = (few("w:f2,e3 W:d3,h5 b:b3 B:h2", side) for side in ("white", "black"))
    evaluator = EVALUATOR(mine)
    assert evaluator.value(evaluator.node(mine)) == -evaluator.value(evaluator.node(theirs)) > 0


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_takes_the_last_gipf_piece(few, level):
    position = few("w:f2,e3,d3,b5 B:b3 W:h5")
    thought = think(GAME, position, level, seed=level)
    assert str(thought.move) == "g1-c3;xb3,c3,d3,e3,f2"
    assert thought.score > PROVEN
