"""How a robot sees Zèrtz: goals, jumps that are compulsory, sacrifices, marbles that are cut off."""

from random import Random

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.protocol import Side
from games.zertz import GAME
from games.zertz.evaluation import EVALUATOR, Progress
from games.zertz.variants import GOALS


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_of_two_jumps_it_makes_the_one_that_wins(board, level):
    position = board(
        """
            . . . .
           . . . . .
          . . . . . .
         . B W . G W .
          . . . . . .
           . . . . .
            . . . .
        """,
        first=(3, 0, 0),
    )
    thought = think(GAME, position, level, seed=level)
    assert thought.score == WIN - 1
    assert position.play(thought.move).outcome().winner == Side.FIRST


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_fills_the_last_ring_of_an_island_if_that_wins(board, level):
    position = board(
        """
            . . - -
           W - - . .
          - - . . . .
         - - . . . . .
          . . . . . .
           . . . . .
            . . . .
        """,
        first=(2, 0, 0),
    )
    thought = think(GAME, position, level, seed=level)
    after = position.play(thought.move)
    assert (thought.score, after.outcome().winner) == (WIN - 1, Side.FIRST)


def test_no_marble_is_given_for_nothing():
    rng, seen = Random(3), 0
    position = GAME.start(GAME.presets[""], "")
    while position.outcome() is None:
        evaluator = EVALUATOR(position)
        if not position.must_jump:
            given = [
                child
                for _, child in evaluator.children(evaluator.node(position), 2, 0)
                if evaluator.forced(child)
            ]
            seen += len(given)
            for child in given:
                assert all(evaluator.forced(after) for _, after in evaluator.children(child, 1, 1))
        position = position.play(position.sample(rng))
    assert seen > 20


def test_the_nearer_a_goal_the_more_a_marble_is_worth():
    progress = Progress(GOALS["long"])
    gains = [progress[(taken + 1, 0, 0)] - progress[(taken, 0, 0)] for taken in range(3)]
    assert gains == sorted(gains)
    assert progress[(4, 0, 0)] > 50_000 < progress[(3, 3, 3)]
    assert progress[(2, 2, 2)] > progress[(2, 2, 0)] > progress[(0, 0, 0)]


def test_a_forced_side_looks_at_every_jump(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . B W G . .
          . . . . . .
           . . . . .
            . . . .
    """)
    evaluator = EVALUATOR(position)
    node = evaluator.node(position)
    assert evaluator.forced(node)
    assert len(evaluator.children(node, 1, 3)) == position.count()
