"""How a robot sees TZAAR: its nodes follow the rules, and it takes the last of a type."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.tzaar import GAME
from games.tzaar.evaluation import AT_ROOT, EVALUATOR


@pytest.mark.parametrize("name", ["", "random", "free"])
def test_children_are_positions_after_moves(name):
    rng, rules = Random(1), GAME.presets[name]
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    while not position.outcome():
        evaluator = EVALUATOR(position)
        children = evaluator.children(evaluator.node(position), 1, 0)
        assert 0 < len(children) <= (position.count() if position.placing or position.opening else AT_ROOT)
        for action, node in children:
            move = evaluator.move(position, action)
            assert position.objection(move) is None
            assert evaluator.node(position.play(move)) == node
        position = position.play(position.sample(rng))
    evaluator = EVALUATOR(position)
    node = evaluator.node(position)
    result = evaluator.result(node) or (None if evaluator.children(node, 1, 0) else evaluator.stuck(node))
    assert result == (1 if position.outcome().winner == position.to_move else -1)


def test_a_lead_is_opposite_for_both_sides_and_the_side_to_move_has_its_threats_besides(amid):
    mine, theirs = (amid("d4:T2 d7:t c4:A c2:Z3", side) for side in ("white", "black"))
    evaluator = EVALUATOR(mine)
    lead = evaluator.node(mine)[3]
    assert lead == -evaluator.node(theirs)[3] > 0
    assert evaluator.value(evaluator.node(mine)) > lead
    assert evaluator.value(evaluator.node(theirs)) < -lead, "it cannot capture"


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_takes_the_last_of_a_type_with_its_second_capture(few, level):
    position = few("a1:Z a2:A c3:T c5:t c6:z g1:a g2:t h1:a h2:t")
    thought = think(GAME, position, level, seed=level)
    assert (thought.score, len(thought.move.actions)) == (WIN - 1, 2)
    assert position.play(thought.move).outcome().winner == position.to_move


def test_it_does_not_cover_its_own_last(few):
    position = few("a1:Z a2:A c3:T c5:t g1:a2 g2:t2 g3:z2")
    assert str(think(GAME, position, 3, seed=1).move) not in ("c3xc5,a1+a2", "c3xc5,a2+a1")
