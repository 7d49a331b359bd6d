"""How a robot sees Cheshire Cat Chess: mates over holes, captures to their end, squares that are left."""

import pytest

from games.cheshire import GAME
from games.cheshire.evaluation import EVALUATOR
from games.engine.robot import think
from games.engine.search import WIN

LEVELS = [1, 2, 3, 4]


@pytest.mark.parametrize("level", LEVELS)
def test_it_mates_over_holes(board, level):
    position = board("""
        . . . . R
        . . . . .
        * . . . .
        * * . . .
        k * . . K
    """)
    thought = think(GAME, position, level, seed=level)
    assert (str(thought.move), thought.score) == ("e5-a5", WIN - 1)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_it_does_not_take_what_an_unmoved_king_guards(board, level):
    position = board(
        """
        . . . . k . . .
        . . . . * . . .
        . . . . . . . .
        . . . . p . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . Q . K .
        """,
        kings="k",
    )
    assert str(think(GAME, position, level, seed=level).move) != "e1xe5"


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("4k3/8/8/8/*7/P7/8/4K3 w - -", "4k3/8/8/8/7*/P7/8/4K3 w - -"),
        ("4k3/8/8/8/1*1*4/8/2N5/*3K3 w - -", "4k3/8/8/8/5***/8/2N5/4K3 w - -"),
        ("4k3/8/8/8/8/4P3/3*1*2/3*K*2 w - -", "4k3/8/8/8/8/4P3/*6*/*3K2* w - -"),
        ("4k3/8/8/8/8/4P3/8/4K3 w - -", "4k3/8/8/8/8/4P3/8/4K3 w K -"),
    ],
    ids=["a stuck pawn", "a knight without squares", "a king without flight", "a king that has moved"],
)
def test_what_is_worth_more(less, more):
    worse, better = (GAME.position(GAME.presets[""], text) for text in (less, more))
    value = EVALUATOR(worse).value
    assert value(EVALUATOR(worse).node(worse)) < value(EVALUATOR(better).node(better))


def test_stalemate_and_bare_kings_are_draws(board):
    stale = board(". R . . K \n * * . . . \n k * . . .", to_move="b")
    kings = board("k . . \n . . . \n . . K")
    for position in (stale, kings):
        evaluator = EVALUATOR(position)
        node = evaluator.node(position)
        result = evaluator.result(node)
        assert (evaluator.stuck(node) if result is None else result) == 0
