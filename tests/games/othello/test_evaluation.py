"""How a robot sees Othello: corners, squares before them, squares to choose from, passes, the end."""

from random import Random

import pytest

from games.engine import analysis
from games.engine.robot import think
from games.engine.search import WIN
from games.othello import GAME
from games.othello.evaluation import BEFORE, BESIDE, CORNER, EDGE, ENDING, EVALUATOR, JOINED, edges
from games.othello.rules import PASS, Rules

FEWEST = Rules(aim="fewest")


def value(position):
    evaluator = EVALUATOR(position)
    return evaluator.value(evaluator.node(position))


@pytest.mark.parametrize("size", [6, 8, 10])
@pytest.mark.parametrize(
    ("mine", "theirs", "worth"),
    [
        ("a1", "", CORNER // 2),
        ("a1 b1", "", CORNER // 2 + JOINED),
        ("b1", "", BESIDE + EDGE),
        ("b2", "", BEFORE // 2),
        ("a1", "b1 b2", CORNER // 2 - EDGE),  # beside a corner that is taken no square is bad
        ("", "a1 b1", -CORNER // 2 - JOINED),
    ],
)
def test_an_edge_is_worth_what_lies_on_it(size, mine, theirs, worth):
    bits = Rules(size).board.bits
    own, enemy = (sum(bits[square] for square in squares.split()) for squares in (mine, theirs))
    mask, table = edges(size)[0]
    reach = max(bits.values()).bit_length()
    assert mask & bits["a1"]
    assert table[(own | enemy << reach) & mask] == worth


def test_a_position_is_worth_the_opposite_to_the_opponent(board):
    picture = """
        X X . . .
        . O . O .
        . X O X .
        . . X . O
    """
    assert value(board(picture, "x")) == -value(board(picture, "o")) != 0


CORNERED = """
    . O X . . . . .
    . X O . . . . .
    . X O O O O . .
    . . O O X . . .
    . . O O O O . .
    . . . . . O . .
    . . . . . . . .
    . . . . . . . .
"""


@pytest.mark.parametrize("level", [2, 3])
def test_it_takes_a_corner_and_leaves_it_in_the_anti_game(board, level):
    position = board(CORNERED)
    assert "a1" in {str(move) for move in position.moves()}
    assert str(think(GAME, position, level, seed=level).move) == "a1"
    assert str(think(GAME, board(CORNERED, rules=FEWEST), level, seed=level).move) != "a1"


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("rules", [Rules(), FEWEST])
def test_the_last_disc_of_the_enemy_wins_or_loses(board, level, rules):
    """a1 leaves White without a disc; after d2 White goes on."""
    position = board(
        """
        . O X . .
        . . . X .
        . . . . .
        """,
        rules=rules,
    )
    assert [str(move) for move in position.moves()] == ["a1"]
    thought = think(GAME, position, level, seed=1)
    assert thought.score == (WIN - 1 if rules == Rules() else 1 - WIN)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_passes_where_it_has_to(board, level):
    position = board(". O X X X X X X", "o")
    assert think(GAME, position, level, seed=1).move == PASS


def test_it_plays_the_end_to_the_last_disc():
    """With so few squares empty the search is complete: whoever it says wins does."""
    position, plies = GAME.start(Rules(), ""), 0
    while position.rules.board.full.bit_count() - sum(map(int.bit_count, position.discs)) > ENDING - 3:
        position = position.play(think(GAME, position, 1, seed=plies).move)
        plies += 1
    thought = think(GAME, position, 3, seed=1)
    expected = (
        None if not thought.score else position.to_move if thought.score > 0 else position.to_move.other
    )
    while not position.outcome():
        position = position.play(think(GAME, position, 3, seed=1).move)
    assert abs(thought.score) > WIN - 100
    assert position.outcome().winner == expected


def test_a_game_is_analysed_with_legal_lines():
    """Of moves by lot some are mistakes, and the pass is none."""
    rng, positions, moves = Random(1), [GAME.start(Rules(6), "")], []
    while not positions[-1].outcome():
        moves.append(positions[-1].sample(rng))
        positions.append(positions[-1].play(moves[-1]))
    assert PASS in moves
    found = analysis.analyse(GAME, positions[0], moves, nodes=600)
    assert len(found.chances) == len(positions)
    assert {"??", "?"} & {*found.marks.values()}
    assert moves.index(PASS) not in found.marks
    for moment in found.moments:
        position = positions[moment.ply]
        for text in moment.line:
            assert position.objection(GAME.move(text)) is None
            position = position.play(GAME.move(text))
