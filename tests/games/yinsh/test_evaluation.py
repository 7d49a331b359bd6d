"""How a robot sees YINSH: its nodes follow the rules, and it takes the last ring."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import PROVEN
from games.yinsh import GAME
from games.yinsh.evaluation import EVALUATOR

ROW = "w:c3,c4,c5,c6"


@pytest.mark.parametrize("seed", range(3))
def test_children_are_the_positions_after_the_moves(seed):
    rng, position = Random(seed), GAME.start(GAME.presets[""], "")
    evaluator = EVALUATOR(position)
    while not position.outcome():
        moves = list(position.moves())
        children = {
            evaluator.move(position, action): node
            for action, node in evaluator.children(evaluator.node(position), 1, 0)
        }
        assert children.keys() == {*moves}
        after = rng.choice([move for move in moves if "x" in str(move)] or moves)
        assert all(children[move] == evaluator.node(position.play(move)) for move in (after, *moves[:5]))
        position = position.play(after)
    outcome = position.outcome()
    won = 0 if outcome.winner is None else 1 if outcome.winner == position.to_move else -1
    assert evaluator.result(evaluator.node(position)) == won


def test_values_are_opposite_for_both_sides_but_for_the_turn(few):
    there = f"W:e5,f5,g5,h5 B:e9,f9,g9,h9,i9 {ROW} b:d8,d9"
    mine, theirs = (few(there, side) for side in ("white", "black"))
    evaluator = EVALUATOR(mine)
    both = [evaluator.value(evaluator.node(position)) for position in (mine, theirs)]
    assert both[0] > 500 > 0 > both[1]
    assert sum(both) == 2 * 15


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_takes_its_last_ring_off(few, level):
    position = few(f"W:c7,f5,g5 B:e9,f9,g9,h9,i9 {ROW} b:d8,d9")
    thought = think(GAME, position, level, seed=level)
    assert thought.score > PROVEN
    assert thought.move.after[0] == "c3-c7"
    assert position.play(thought.move).outcome().winner == position.to_move
