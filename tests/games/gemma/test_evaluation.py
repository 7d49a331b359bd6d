"""How a robot sees Gemma: squares that have vanished, and men who have to leave."""

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.gemma import GAME
from games.gemma.evaluation import EVALUATOR
from games.gemma.rules import Removal
from tests.games.gemma.test_removals import STUCK


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_it_wins_by_a_man_who_leaves(board, level):
    thought = think(GAME, board(STUCK), level, seed=level)
    assert thought.move == Removal("a1")
    assert thought.score == WIN - 1


def test_it_looks_at_every_turn_and_at_no_vanished_square(board):
    position = board(STUCK)
    evaluator = EVALUATOR(position)
    turns = [
        evaluator.move(position, action) for action, _ in evaluator.children(evaluator.node(position), 1, 0)
    ]
    assert set(turns) == set(position.moves())
    assert len(turns) == position.count()
