"""The examples of PerGioco newsletter 49 (Marino Carpignano), on a layout that has the cells it names."""

from games.insert import GAME
from games.insert.board import BOARD
from games.insert.rules import Move, Rules
from games.protocol import CANONICAL


def cells(position):
    return {move.cell for move in position.moves()}


def play(position, *texts):
    for text in texts:
        position = position.play(GAME.read(position, text, CANONICAL))
    return position


def test_the_answer_to_d4_is_on_its_row_and_the_answer_to_a4_on_its_diagonal(layout):
    position = play(GAME.start(Rules(), layout), "d4")
    assert cells(position) == {"a4", "b4", "c4", "e4", "f4"}
    assert cells(play(position, "a4")) == {"b3", "c2", "d1"}


def test_f4_is_the_only_cell_left_after_e5_and_then_the_choice_is_free(board):
    position = board(
        """
        . . . o . .
        . . . . o .
        . . x . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        last="e5",
    )
    assert cells(position) == {"f4"}
    position = play(position, "f4")
    assert cells(position) == set(BOARD.cells(position.empty))


def test_black_may_take_c5_and_e5_or_b2_and_e2(board):
    position = board(
        """
        x . . . . .
        . . o . o .
        . . . . . .
        . . . o . .
        . o x . o .
        . . . . . .
        """,
        last="d3",
    )
    assert {"d5", "d2"} <= cells(position)
    assert GAME.write(position, Move("d5"), CANONICAL) == "d5 (c5,e5)"
    assert GAME.write(position, Move("d2"), CANONICAL) == "d2 (b2,e2)"
    assert str(play(position, "d5")).split()[1] == "x5/2xxx1/6/3o2/1ox1o1/6"
    assert str(play(position, "d2")).split()[1] == "x5/2o1o1/6/3o2/1xxxx1/6"


def test_c4_takes_every_white_ring_in_three_directions_and_has_not_won_yet(board):
    position = board(
        """
        . . . . . x
        . o o . . .
        . o . o . .
        . . x x . .
        . . o . o .
        . . . . . .
        """,
        last="b4",
    )
    position = play(position, "c4 (b4,d4,c5,c2,b5,e2)")
    assert position.rings[0] == 0
    assert position.outcome() is None
    assert str(position).split()[1] == "5x/1xx3/1xxx2/2xx2/2x1x1/6"
