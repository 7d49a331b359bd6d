"""Each rule of Insert on a board made for it."""

import pytest

from games.insert import GAME
from games.insert.board import BOARD
from games.insert.rules import Move
from games.protocol import Objection, Outcome, Side

RULES, CROSSED = GAME.presets[""], GAME.presets["x+"]


def cells(position):
    return {move.cell for move in position.moves()}


def taken(position, cell):
    return set(BOARD.cells(position.captured(Move(cell))))


def after(position, *moves):
    for move in moves:
        assert position.objection(Move(move)) is None
        position = position.play(Move(move))
    return position


def test_the_first_ring_goes_anywhere(layout):
    position = GAME.start(RULES, layout)
    assert position.to_move == Side.FIRST
    assert len(cells(position)) == position.count() == 36


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("d4", "a4 b4 c4 e4 f4"),
        ("d5", "d1 d2 d3 d4 d6"),
        ("c2", "a4 b3 d1"),
        ("c4", "a2 b3 d5 e6"),
    ],
)
def test_the_mark_under_the_last_ring_names_a_line_across_the_board(layout, cell, line):
    position = after(GAME.start(RULES, layout), cell)
    assert cells(position) == set(line.split())


def test_rings_do_not_block_the_line(board):
    position = board(
        """
        . . . . . .
        . . . . . .
        . x o o x .
        . . . . . .
        . . . . . .
        . o . . . .
        """,
        last="d4",
    )
    assert cells(position) == {"a4", "f4"}


def test_a_full_line_leaves_the_choice_free(board):
    position = board(
        """
        . . . . . .
        . . . . . .
        o x x o o x
        . . . . . .
        . . . . . .
        . . . . . o
        """,
        last="d4",
    )
    assert len(cells(position)) == 36 - 7


def test_a_corner_mark_across_the_corner_leaves_the_choice_free(layout):
    """The diagonal through a1 from NW to SE is that cell alone."""
    assert len(cells(after(GAME.start(RULES, layout), "a1"))) == 35


LONG = """
    . . . . . .
    . . . . . .
    o x x . x o
    . . . . . .
    . . . . . .
    . . . . o o
"""


def test_an_intrusion_may_be_anywhere_inside_the_run(board):
    position = board(LONG, last="f4", layout="-" * 36)
    assert taken(position, "d4") == {"a4", "f4"}


def test_all_six_of_a_row_are_then_one_line(board):
    won = after(board(LONG, last="f4", layout="-" * 36), "d4")
    assert won.outcome() == Outcome(Side.SECOND, "five")
    assert str(won).split()[1] == "6/6/xxxxxx/6/6/4oo"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("o x . . x o", "a gap"),
        (". x x . x o", "a gap at one end"),
        ("x x x . x o", "the edge at one end"),
        ("o x x . . .", "nothing behind"),
    ],
)
def test_no_intrusion_without_an_enemy_at_both_ends(board, row, why):
    empty = ". . . . . ."
    rings = 6 - row.count(".")
    last_row = "o . . . . ." if rings % 2 == 0 else "o x . . . ."
    position = board("\n".join([empty, empty, row, empty, empty, last_row]), last="a1", layout="|" * 36)
    assert position.to_move == Side.SECOND
    assert not taken(position, "d4"), why


def test_a_ring_on_the_edge_captures_along_the_edge_only(board):
    position = board(
        """
        . . . . . .
        . . . . . o
        . o . o . .
        . . . x . o
        o . o . x .
        o o . o . .
        """,
        last="f5",
        layout="|" * 36,
    )
    assert taken(position, "f4") == {"f3", "f5"}
    assert taken(position, "c1") == {"b1", "d1"}


def test_all_four_axes_capture_at_once(board):
    position = board(
        """
        . . . . . .
        . o o o . .
        . o . o . .
        . o o o . .
        . . . . . .
        x . . . . .
        """,
        last="c3",
        layout="|" * 36,
    )
    assert taken(position, "c4") == {"b3", "b4", "b5", "c3", "c5", "d3", "d4", "d5"}


def test_a_sandwich_captures_nothing(board):
    position = board(
        """
        . . . . . .
        . . . . . .
        . x o o . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        last="c4",
        layout="-" * 36,
    )
    assert not taken(position, "e4")


def test_what_was_turned_over_captures_nothing_further(board):
    """c4 takes b4 and d4; the new d4 stands between d3 and d5, which stay."""
    position = board(
        """
        . . . . . .
        . . . o . .
        . o . o . .
        . . . o . .
        . . . . . .
        x x x . . .
        """,
        last="b4",
        layout="-" * 36,
    )
    assert taken(position, "c4") == {"b4", "d4"}
    assert str(after(position, "c4")).split()[1] == "6/3o2/1xxx2/3o2/6/xxx3"


@pytest.mark.parametrize(
    ("picture", "cell"),
    [
        ("o o o . o . / . . . . . . / . . . . . . / x x x . . . / . . . . . . / x . . . . .", "d6"),
        ("o . . . . . / o . . . . . / . . . . . . / o x x x . . / o . . . . . / x . . . . .", "a4"),
        ("o . . . . . / . o . . . . / . . o . . . / x x x o . . / . . . . . . / x . . . . .", "e2"),
        (". . . . o . / . . . o . . / . . . . . . / . o x x x . / o . . . . . / x . . . . .", "c4"),
        ("o o o o . o / . . . . . . / x x x x . . / . . . . . . / . . . . . . / x . . . . .", "e6"),
    ],
    ids=["row", "column", "falling", "rising", "six"],
)
def test_five_in_an_unbroken_line_win_at_once(board, picture, cell):
    rows = picture.replace(" / ", "\n")
    position = board(rows, last="a1", layout="\\" * 36)
    assert position.outcome() is None
    won = after(position, cell)
    assert won.outcome() == Outcome(Side.FIRST, "five")
    assert list(won.moves()) == []
    assert won.objection(Move("f1")) == Objection("finished")


def test_four_do_not_win_nor_five_with_a_gap(board):
    position = board(
        """
        o o . o o .
        o . . . . .
        . o . . . .
        x x x . . .
        x . . . . .
        x . x x x .
        """,
        last="a1",
        layout="\\" * 36,
    )
    assert after(position, "f6").outcome() is None


def test_no_line_runs_from_one_row_into_the_next(board):
    position = board(
        """
        . . . . . .
        . . . o o .
        o o . . . .
        x x x . . .
        . . . . . .
        x . . . . .
        """,
        last="a1",
        layout="\\" * 36,
    )
    assert after(position, "f5").outcome() is None


def test_a_captured_ring_may_complete_the_five(board):
    """c4 takes b4 and d4; with d4 the column d2 to d6 is Black's, though c4 is not in it."""
    position = board(
        """
        . . . x . .
        . . . x . .
        . o . o . .
        . . . x . .
        . . . x . .
        . o . . . .
        """,
        last="d4",
        layout="-" * 36,
    )
    assert after(position, "c4").outcome() == Outcome(Side.SECOND, "five")


def test_captures_cost_no_ring(board):
    position = board(LONG, last="f4", layout="-" * 36)
    assert (position.placed, position.to_move) == (7, Side.SECOND)
    position = after(position, "d4")
    assert (position.placed, position.to_move) == (8, Side.FIRST)


ENDS = {
    "white": (
        """
        o . o o x o
        o . x . x x
        o x x o x x
        o o . x . x
        x o o o o .
        . o o x x x
        """,
        "b1",
        "a1",
        Outcome(Side.FIRST, "larger_group"),
    ),
    "black": (
        """
        . x o o o .
        o x o o x .
        o o x x x x
        o o o o x x
        x . x x . .
        x . o x x x
        """,
        "c1",
        "f2",
        Outcome(Side.SECOND, "larger_group"),
    ),
    "equal": (
        """
        o . o o o .
        . o x . x o
        x x x x o x
        x o o x o x
        . . x o o .
        x x x o o o
        """,
        "b5",
        "b2",
        Outcome(None, "equal_groups"),
    ),
}


@pytest.mark.parametrize(("picture", "last", "cell", "outcome"), ENDS.values(), ids=ENDS)
def test_after_thirty_rings_the_larger_group_decides(board, picture, last, cell, outcome):
    position = board(picture, last)
    assert (position.placed, position.outcome()) == (29, None)
    over = after(position, cell)
    assert over.outcome() == outcome
    assert (over.count(), list(over.moves())) == (0, [])


def test_a_five_with_the_last_ring_goes_before_groups(board):
    position = board(
        """
        o o o o x o
        o o o o x o
        x o o x o x
        o x o x o x
        o . . . . .
        x x x x x .
        """,
        "c1",
    )
    assert position.placed == 30
    assert position.outcome() == Outcome(Side.SECOND, "five")


X_PLUS = "-" * 21 + "x" + "-" * 10 + "+" + "-" * 3  # d3 and c1


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("d3", "a6 b5 c4 e2 f1 b1 c2 e4 f5"),
        ("c1", "a1 b1 d1 e1 f1 c2 c3 c4 c5 c6"),
    ],
)
def test_a_mark_of_two_lines_allows_either(cell, lines):
    position = after(GAME.start(CROSSED, X_PLUS), cell)
    assert cells(position) == set(lines.split())
    assert position.objection(Move("a4")).cells == tuple(BOARD.cells(position.forced))


def test_while_one_of_two_lines_has_room_the_choice_is_not_free(board):
    position = board(
        """
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        o x o x o x
        """,
        last="f1",
        layout="-" * 35 + "+",
        rules=CROSSED,
    )
    assert cells(position) == {"f2", "f3", "f4", "f5", "f6"}


@pytest.mark.parametrize(
    ("cell", "objection"),
    [
        ("b4", None),
        ("a5", Objection("row", ("b4", "c4", "e4", "f4"))),
        ("d4", Objection("occupied", ("d4",))),
        ("g4", Objection("no_such_cell", ("g4",))),
        ("a7", Objection("no_such_cell", ("a7",))),
    ],
)
def test_objections_name_the_cells(board, cell, objection):
    position = board(
        """
        . . . . . .
        . . . . . .
        x . . o . .
        . . . . . .
        . . . . . .
        o . . . . .
        """,
        last="d4",
    )
    assert position.objection(Move(cell)) == objection


@pytest.mark.parametrize(
    ("mark", "line"),
    [("-", "row"), ("|", "column"), ("\\", "falling"), ("/", "rising"), ("+", "cross"), ("x", "saltire")],
)
def test_the_objection_is_called_by_the_mark(mark, line):
    position = after(GAME.start(CROSSED, mark * 36), "c3")
    assert position.objection(Move("d5")).code == position.line == line
