"""Each rule of DVONN as a small picture and a move."""

from random import Random
from typing import Any

import pytest

from games.dvonn import GAME
from games.dvonn.board import BOARD, LONGEST, PASS, POINTS, TARGETS
from games.dvonn.rules import Position, Rules, start
from games.protocol import Outcome, Side
from games.record import Course

FULL = """
      w b w b w b w b w
     b w b w b w b w b w
    b w b w b r b w b w b
     w b w b w r w b w b
      b w b w r w b w b
"""


def objection(position, text):
    return str(position.objection(GAME.move(text)))


# The board


def test_49_points_in_five_rows():
    assert len(POINTS) == len(BOARD.bit) == 49
    assert (POINTS[0], POINTS[8], POINTS[9], POINTS[-1]) == ("a1", "i1", "a2", "k5")
    assert "a4" not in POINTS
    assert "j1" not in POINTS


@pytest.mark.parametrize(
    ("point", "around"),
    [
        ("f3", "f4 g4 g3 f2 e2 e3"),
        ("a1", "a2 b2 b1"),
        ("a3", "b4 b3 a2"),
        ("k5", "k4 j4 j5"),
        ("c5", "d5 c4 b4"),
    ],
)
def test_neighbours(point, around):
    assert set(TARGETS[point, 1]) == set(around.split()) == set(BOARD.names(BOARD.around(BOARD.bit[point])))


def test_a_line_runs_through_the_board():
    assert set(TARGETS["f3", 2]) == {"f5", "h5", "h3", "f1", "d1", "d3"}
    assert TARGETS["a3", LONGEST] == ("k3",)
    assert TARGETS["f3", 6] == ()


# Placing


def test_white_black_and_white_place_the_red_pieces_and_then_black_begins(board, played):
    position = played(start(Rules()), "f3 a1 k5 b2")
    assert position == board(
        """
              . . . . . . . . r
             . . . . . . . . . .
            . . . . . r . . . . .
             . b . . . . . . . .
              r . . . . . . . .
        """,
        placing=True,
    )
    assert position.count() == 45
    assert objection(position, "f3") == "occupied f3"
    assert objection(position, "f3-g4") == "placing 45"
    assert objection(position, "a4") == "no_point a4"
    assert objection(position, "pass") == "no_pass"


def test_white_places_the_last_piece_and_moves_first():
    course = Course(GAME, start(Rules()))
    for name in POINTS:
        assert course.forced_pass() is None
        course.play(GAME.move(name))
    full: Any = course.position
    assert (full.to_move, full.stack("k5"), list(full.moves())) == (Side.SECOND, "w", [PASS])
    assert objection(full, "a1-a2") == "white_begins"
    position: Any = course.play(course.forced_pass())
    assert (position.to_move, position.placing, course.forced_pass()) == (Side.FIRST, False, None)
    assert objection(position, "a3") == "all_placed a3"
    assert position.score == (23, 23)


def test_in_a_full_board_only_the_edge_can_move(board):
    position = board(FULL)
    edge = {name for name in POINTS if len(TARGETS[name, 1]) < 6}
    assert len(edge) == 24
    assert {move.origin for move in position.moves()} == {n for n in edge if position.stack(n) == "w"}


# D1: enclosed


def test_a_stack_with_six_neighbours_cannot_move_at_whatever_height(few, written):
    ring = "f4:b g4:b g3:b f2:b e2:b e3:r f5:b h5:b h3:r f1:b d1:b d3:rb"
    for stack, end in (("w", "f4"), ("bw", "f5")):
        position = few(f"{ring} f3:{stack}")
        assert written(position) == {"pass"}
        assert objection(position, f"f3-{end}") == "must_pass"
        assert objection(few(f"{ring} f3:{stack} c3:w"), f"f3-{end}") == "enclosed f3"


def test_with_one_side_open_it_can(few, written):
    position = few("f4:b g4:b g3:b f2:b e3:rrrb f3:w")
    assert written(position) == {"f3-f4", "f3-g4", "f3-g3", "f3-f2", "f3-e3"}


def test_a_point_on_the_edge_is_never_enclosed(few, written):
    assert written(few("a1:w a2:r b2:r b1:r")) == {"a1-a2", "a1-b2", "a1-b1"}


# How far, and onto what


def test_a_stack_moves_exactly_as_far_as_it_is_high_over_anything(few, written, played):
    position = few("c3:bw d3:b e3:r b3:r a3:rb")
    assert written(position) == {"c3-e3", "c3-a3"}
    assert played(position, "c3-e3") == few("e3:rbw d3:b b3:r a3:rb", "black")


def test_it_passes_empty_points_but_ends_on_a_stack(few, written):
    position = few("c3:bw c4:r d4:r e4:r e3:b")
    assert "d3" not in position.stood()
    assert written(position) == {"c3-e3"}
    assert objection(position, "c3-c5") == "lands_nowhere c5"


def test_a_single_piece_may_go_on_its_own_colour_the_other_and_red(few, written, played):
    position = few("f3:w f4:w g4:b g3:r f2:rrb")
    assert written(position) >= {"f3-f4", "f3-g4", "f3-g3"}
    assert played(position, "f3-g4").stack("g4") == "bw"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("c3-d3", "distance c3 d3 2 1"),
        ("c3-f3", "distance c3 f3 2 3"),
        ("c3-e4", "off_line c3 e4"),
        ("c3-c3", "off_line c3 c3"),
        ("c3-a4", "no_point a4"),
        ("c1-d1", "empty c1"),
        ("d3-c3", "not_yours d3"),
        ("b3-c3", "red_alone b3"),
        ("pass", "no_pass"),
    ],
)
def test_what_a_stack_cannot_do(few, text, code):
    assert objection(few("c3:bw d3:b e3:rrb b3:r"), text) == code


# D2: red pieces


def test_a_lone_red_piece_is_nobodys_and_a_stack_with_one_moves(few, written):
    position = few("c3:r d3:rw e3:b f3:r")
    assert written(position) == {"d3-f3"}
    assert written(few("c3:r d3:rw e3:b f3:r", "black")) == {"e3-d3", "e3-f3"}


# D3: cut off


def test_what_no_way_connects_to_a_red_piece_leaves_all_at_once(few, played):
    position = few("a3:r a2:rrb b3:b c3:w d3:bb e3:w e4:wb", "white")
    assert played(position, "c3-b3") == few("a3:r a2:rrb b3:bw", "black")
    assert played(position, "c3-b3").score == (2, 3)


def test_a_red_piece_that_moves_takes_its_connection_along(few, played):
    position = few("a3:w b3:rw c3:b d3:r e3:rb")
    assert played(position, "b3-d3") == few("c3:b d3:rrw e3:rb", "black")


def test_parts_may_hang_on_different_red_pieces(few, played):
    position = few("a3:r b3:b c3:w d3:b e3:r k5:r k4:w")
    assert played(position, "c3-b3") == few("a3:r b3:bw d3:b e3:r k5:r k4:w", "black")


# D4: passes


def test_who_cannot_move_passes_and_may_move_later(few, written, played):
    stuck = few("c3:rrrw d3:b e3:b f3:b")
    assert written(stuck) == {"pass"}
    assert objection(stuck, "c3-d3") == "must_pass"
    assert stuck.play(PASS) == few("c3:rrrw d3:b e3:b f3:b", "black")
    after = played(stuck, "pass f3-e3 pass e3-c3".replace(" pass e3-c3", ""))
    assert written(after) == {"pass"}
    free = few("c3:bw d3:rb e3:rb f3:rb", "black")
    assert "c3-e3" in written(played(free, "f3-d3"))


def test_who_can_move_must(few):
    assert objection(few("a3:rrrb b3:w"), "pass") == "no_pass"


# The end


@pytest.mark.parametrize(
    ("stacks", "score", "outcome"),
    [
        ("c3:rbw c4:r d4:rb", (3, 2), Outcome(Side.FIRST, "more")),
        ("c3:rwww d3:rwbbb e3:r", (4, 5), Outcome(Side.SECOND, "more")),
        ("c3:rbw d3:rwb e3:r", (3, 3), Outcome(None, "equal")),
    ],
)
def test_when_neither_can_move_all_pieces_in_stacks_count(few, stacks, score, outcome):
    position = few(stacks)
    assert list(position.moves()) == []
    assert (position.score, position.outcome()) == (score, outcome)
    assert objection(position, "pass") == "finished"


def test_the_game_goes_on_while_the_opponent_can_move(few):
    position = few("c3:rbw d3:b e3:rrb")
    assert position.outcome() is None
    assert list(position.moves()) == [PASS]


# Set-ups


@pytest.mark.parametrize("name", ["random", "symmetric"])
def test_a_set_up_by_lot_begins_with_a_move_of_white(name):
    rules = GAME.presets[name]
    setup = GAME.draw_setup(rules, Random(1))
    position = start(rules, setup)
    assert (position.to_move, position.placing, position.score) == (Side.FIRST, False, (23, 23))
    assert "".join(position.stacks) == setup
    assert start(rules, setup.upper()) == position


@pytest.mark.parametrize("bad", ["", "w", "wb" * 23 + "rr", "wb" * 23 + "rrrr", "x" * 49, "wb" * 23 + "rrb"])
def test_a_bad_set_up_is_refused(bad):
    with pytest.raises(ValueError, match=r"."):
        start(Rules("random"), bad)


def test_where_the_players_place_there_is_no_set_up():
    with pytest.raises(ValueError, match="the players place"):
        start(Rules(), "wb" * 23 + "rrr")


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "-" * 49 + " black",
        "-" * 48 + " white",
        "w" + "-" * 48 + " black",
        "rrrb" + "-" * 45 + " black",
        "rrrw" + "-" * 45 + " white",
        "/" + "/".join("r" * 3 + "-" * 46),  # no side
        "/" + "/".join("rr" + "-" * 47) + " white",
        "/" + "/".join("rrr-w" + "-" * 44) + " white",  # cut off
        "/" + "/".join(["wr", "r", "r", *"-" * 46]) + " white",  # red on top
        "/" + "/".join(["r" * 3 + "w" * 24, *"-" * 48]) + " white",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), text)


def test_positions_are_values():
    assert isinstance(start(Rules()), Position)
    assert {start(Rules()), start(Rules())} == {start(Rules())}
