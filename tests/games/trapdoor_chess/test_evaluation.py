"""How a robot sees trapdoor chess: mates, with the trap's help too, men who fall, captures to their end."""

import pytest

from games.engine.robot import think
from games.engine.search import WIN
from games.protocol import Side
from games.trapdoor_chess import GAME
from games.trapdoor_chess.board import BITS, NAMES
from games.trapdoor_chess.evaluation import EVALUATOR, ranked

LEVELS = [1, 2, 3, 4]


@pytest.mark.parametrize("level", LEVELS)
def test_it_mates_where_it_can(board, level):
    position = board(
        """
        . . . . . . . k
        R . . . . . . .
        . . . . . . . .
        . R . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        """
    )
    thought = think(GAME, position, level, seed=level)
    assert thought.score == WIN - 1
    assert position.play(thought.move).outcome().reason == "mate"


@pytest.mark.parametrize("level", LEVELS)
def test_it_takes_the_last_square_from_a_king_with_the_trap(board, level):
    position = board("""
        k . . . . . . .
        . . K . . . . .
        . . . . . . . .
        . . . N . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    thought = think(GAME, position, level, seed=level)
    assert (str(thought.move), thought.score) == ("d5-b6@a7", WIN - 1)


def test_captures_are_looked_at_to_their_end(board):
    position = board("""
        . . . . k . . .
        . . p . . . . .
        . . . p . . . .
        . . . . . . . .
        . . . . . . . .
        . . . Q . . . .
        . . . . . . . .
        . . . . K . . .
    """)
    for seed in range(5):
        assert not str(think(GAME, position, 1, seed).move).startswith("d3xd6")


def test_who_takes_is_shielded_from_who_would_take_back(board):
    position = board("""
        . . . . . . . k
        . . . . . . p p
        . . . . . . . .
        r . . . p . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . P P
        . . . . R . . K
    """)
    evaluator = EVALUATOR(position)
    taking = [
        action for action, _ in evaluator.children(evaluator.node(position), 1, 3) if action[2] == BITS["e5"]
    ]
    assert taking, "deep in the search there is one square for each step"
    assert {NAMES[action[-1]] for action in taking} <= {"b5", "c5", "d5"}
    [(calm, _)] = evaluator.children(evaluator.node(position), 0, 5)
    assert NAMES[calm[-1]] in ("b5", "c5", "d5"), "and so where captures alone are looked at"


def test_stalemate_and_two_kings_are_draws(board):
    stale = board(". . . . @ \n . . Q . . \n k . . . K", to_move="b")
    kings = board("k . . \n . . @ \n . . K")
    for position in (stale, kings):
        evaluator = EVALUATOR(position)
        node = evaluator.node(position)
        assert (evaluator.stuck(node) if evaluator.result(node) is None else evaluator.result(node)) == 0
    assert not EVALUATOR(stale).children(EVALUATOR(stale).node(stale), 1, 0)


def test_a_trap_in_the_line_of_an_attack_is_liked(board):
    position = board("""
        . . . . k . . .
        . . . . . . . .
        . . . r . . . .
        . . . . . . . .
        . . . . . . . .
        . . . N . . . .
        . . . . . . . .
        . . . . K . . .
    """)
    assert set(ranked(position.men, Side.FIRST)[:2]) == {BITS["d4"], BITS["d5"]}
    assert set(ranked(position.men, Side.SECOND)[-2:]) == {BITS["d4"], BITS["d5"]}
