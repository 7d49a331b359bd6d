"""How a robot sees PÜNCT: its nodes follow the rules, it joins sides, and it counts what is lacking."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.punct import GAME
from games.punct.board import BIT, LATTICE
from games.punct.evaluation import EVALUATOR, lacking, on_ways

ALMOST = "w0:a5/b5/c5 w0:d5/e5/f5 w0:g5/h5/i5 w0:j6/k7/l8 w0:n10/m9/o11"


@pytest.mark.parametrize("name", ["", "basic"])
def test_children_are_positions_after_turns(name):
    rng, position = Random(name), GAME.start(GAME.presets[name], "")
    for _ in range(24):
        evaluator = EVALUATOR(position)
        children = evaluator.children(evaluator.node(position), 1, 0)
        assert children
        for action, node in children:
            assert position.objection(evaluator.move(position, action)) is None
            assert evaluator.node(position.play(action)) == node
        position = position.play(position.sample(rng))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_joins_two_sides(few, level):
    thought = think(GAME, few(f"{ALMOST} b0:p14/p15/q15"), level, seed=level)
    assert thought.score == WIN - 1
    assert few(ALMOST).play(thought.move).outcome().winner == 0


THREATENED = (
    "wR0b1/c2/c3 wE0b2/b3/b4 wL0b5/b6/c7 wT0d6/d7/e7 wC0g10/f9/h11 wM0g8/f7/g9 wE0i12/i13/i14 "
    "wM0j15/j16/k15 wT0k13/k14/l14 bM0e8/e9/f8 bL0f12/e12/e13 bL0h14/f13/g13 bE0j12/j13/j14 "
    "bM0l12/k12/l11 bC0n11/m11/o11 bR0p13/p12/q12 bE0p9/p10/p11 bR1j13/i14/j14 white"
)


@pytest.mark.parametrize("level", [2, 3])
def test_it_does_not_let_the_other_join(level):
    position = GAME.position(GAME.presets[""], THREATENED)
    after = position.play(think(GAME, position, level, seed=level).move)
    assert not any(after.play(move).outcome() for move in after.moves())


def test_what_a_side_lacks():
    row = sum(BIT[name] for name in LATTICE.rows[8])
    assert lacking(0, 0) == (17, 17)
    assert lacking(row, 0) == (2, 2)
    assert lacking(0, row) == (18, 18), "a cell of the row can be covered, which counts twice"


def test_ways_run_over_what_is_there():
    own = sum(BIT[name] for name in ("a5", "b5", "c5", "d5", "e5", "f5"))
    found = on_ways(own, 0)
    assert own & found == own
    assert BIT["g5"] & found
    assert not BIT["j17"] & found
