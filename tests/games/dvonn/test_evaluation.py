"""How a robot sees DVONN: its nodes follow the rules, and it cuts off, wins and passes as they say."""

from random import Random

import pytest

from games.dvonn import GAME
from games.dvonn.board import PASS
from games.dvonn.evaluation import EVALUATOR
from games.engine.robot import think
from games.engine.search import PROVEN


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["", "random"])
def test_children_are_the_positions_after_the_moves(name, seed):
    rng, rules = Random(seed), GAME.presets[name]
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    evaluator = EVALUATOR(position)
    while not position.outcome():
        children = {
            evaluator.move(position, action): node
            for action, node in evaluator.children(evaluator.node(position), 1, 0)
        }
        assert children == {move: evaluator.node(position.play(move)) for move in position.moves()}
        position = position.play(position.sample(rng))
    assert not evaluator.children(evaluator.node(position), 1, 0)
    score = position.score[position.to_move] - position.score[position.to_move.other]
    assert evaluator.stuck(evaluator.node(position)) == (score > 0) - (score < 0)


def test_values_are_opposite_for_both_sides(few):
    stacks = "a3:r a2:rrb b3:b c3:w d3:bb e3:w"
    mine, theirs = (few(stacks, side) for side in ("white", "black"))
    evaluator = EVALUATOR(mine)
    assert evaluator.value(evaluator.node(mine)) == -evaluator.value(evaluator.node(theirs)) != 0


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_cuts_off_what_decides(few, level):
    position = few("a3:r a2:rw b3:rb c3:w d3:bbb e3:bb e4:b d4:b")
    thought = think(GAME, position, level, seed=level)
    assert str(thought.move) == "c3-b3"
    assert thought.score > PROVEN or level == 1


def test_a_forced_pass_is_its_move(few):
    assert think(GAME, few("c3:rrrw d3:b e3:b"), 3, seed=1).move == PASS
