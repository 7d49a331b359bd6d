"""How a robot sees LYNGK: its nodes follow the rules, and it completes stacks, with a claim if need be."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.lyngk import GAME
from games.lyngk.evaluation import AT_ROOT, EVALUATOR


@pytest.mark.parametrize("name", ["", "six"])
def test_children_are_positions_after_turns(name):
    rng, rules = Random(1), GAME.presets[name]
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    while not position.outcome():
        evaluator = EVALUATOR(position)
        children = evaluator.children(evaluator.node(position), 1, 0)
        assert len(children) == min(AT_ROOT, position.count())
        for action, node in children:
            move = evaluator.move(position, action)
            assert position.objection(move) is None
            assert evaluator.node(position.play(move)) == node
        position = position.play(position.sample(rng))
    evaluator = EVALUATOR(position)
    node = evaluator.node(position)
    result = evaluator.result(node) or evaluator.stuck(node)
    winner = position.outcome().winner
    assert result == (0 if winner is None else 1 if winner == position.to_move else -1)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_claims_what_waits_and_completes_another(few, level):
    position = few("e4:IKBGR e6:GR e2:IKJ b2:B c6:I")
    assert str(think(GAME, position, level, seed=level).move) == "R,e6-e2"


def test_it_completes_a_stack_of_six(few):
    position = few("c1:RGB c2:KIJ g1:G g2:K g4:I", preset="six")
    thought = think(GAME, position, 1, seed=1)
    assert (str(thought.move), thought.score) == ("B,c1-c2", WIN - 1)


def test_a_stack_that_can_be_completed_is_worth_more_to_the_side_to_move(few):
    mine, theirs = (few("c1:RGB c2:KJ c5:I", "B0", "I0", side) for side in ("first", "second"))
    evaluator = EVALUATOR(mine)
    assert evaluator.value(evaluator.node(mine)) > -evaluator.value(evaluator.node(theirs)) > 0
