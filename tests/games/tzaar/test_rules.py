"""Each rule of TZAAR as a small picture and a move."""

from random import Random

import pytest

from games.protocol import Outcome, Side
from games.tzaar import GAME
from games.tzaar.board import EACH, FIXED, INDEX, POINTS, RAYS
from games.tzaar.rules import Rules, start


def objection(position, text):
    return str(position.objection(GAME.move(text)))


def ray(name):
    return {" ".join(POINTS[point] for point in ray) for ray in RAYS[INDEX[name]]}


# The board


def test_60_points_in_nine_lines_whose_numbers_leave_out_the_hole():
    assert len(POINTS) == len({*POINTS}) == 60
    lengths = [sum(name[0] == letter for name in POINTS) for letter in "abcdefghi"]
    assert lengths == [5, 6, 7, 8, 8, 8, 7, 6, 5]


def test_no_line_crosses_the_hole():
    assert ray("e4") == {"f4 g4 h4 i4", "f3 g2 h1", "e3 e2 e1", "d3 c2 b1", "d4 c4 b4 a4"}
    assert ray("a1") == {"a2 a3 a4 a5", "b2 c3 d4", "b1 c1 d1 e1"}
    assert "e4" not in " ".join(ray("e5"))


# Set-ups


def test_the_fixed_set_up_has_all_pieces():
    position = start(Rules())
    assert len(FIXED) == 60
    assert position.counts(Side.FIRST) == position.counts(Side.SECOND) == dict(EACH)
    assert [position.on(name) for name in ("a1", "a5", "c3", "e1", "e5", "g4", "i5")] == list("tTzTtZT")


def test_a_random_set_up_comes_from_its_seed():
    rules = GAME.presets["random"]
    draws = [GAME.draw_setup(rules, Random(seed)) for seed in range(50)]
    assert len(set(draws)) == 50
    assert draws[7] == GAME.draw_setup(rules, Random(7))
    assert "".join(start(rules, draws[0]).board) == draws[0]


@pytest.mark.parametrize(
    ("rules", "setup"), [("random", ""), ("random", "Z" * 60), ("", FIXED), ("free", FIXED)]
)
def test_a_bad_set_up_is_refused(rules, setup):
    with pytest.raises(ValueError, match=r"."):
        start(GAME.presets[rules], setup)


def test_players_may_place_the_pieces_themselves(played):
    position = played(start(Rules("free")), "Zc4 Zd1 Ad2")
    assert (position.on("c4"), position.on("d1"), position.on("d2")) == ("Z", "z", "A")
    assert position.in_hand(Side.FIRST) == {"Z": 5, "A": 8, "T": 15}
    assert objection(position, "Zc4") == "occupied c4"
    assert objection(position, "c4xd1") == "placing 57"
    position = played(position, "Te1 Zf1 Te2 Zf2 Te3 Zf3 Te4 Zf4 Te5 Zf5")
    assert position.to_move == Side.SECOND
    assert objection(played(position, "Te6"), "Zf6") == "none_left_z"


def test_after_the_last_piece_white_captures_once():
    rng, position = Random(1), start(Rules("free"))
    for _ in range(60):
        position = position.play(position.sample(rng))
    assert (position.to_move, position.placing, position.opening) == (Side.FIRST, False, True)
    assert {len(move.actions) for move in position.moves()} == {1}
    assert objection(position, "Ta1") == "all_placed a1"


# A turn


def test_the_first_turn_of_white_is_one_capture(played):
    position = start(Rules())
    assert objection(position, "a5xa4,d7xd8") == "one_capture"
    assert {len(move.actions) for move in played(position, "a5xa4").moves()} == {1, 2}


def test_a_stack_goes_to_the_first_stack_on_each_line(amid, written):
    position = amid("d4:T d7:t b4:z d2:A e1:a")
    assert {text for text in written(position) if text.startswith("d4") and "," not in text} == {
        "d4xd7",
        "d4xb4",
    }
    assert objection(position, "d4xc4") == "nothing_there c4"
    assert objection(position, "d4xi3") == "off_line d4 i3"
    assert objection(amid("d4:T d6:A d7:t"), "d4xd7") == "blocked d4 d7 d6"
    assert objection(position, "d4xi8") == "no_point i8"


# T2, T3


@pytest.mark.parametrize(
    ("mine", "theirs", "allowed"), [(1, 1, True), (2, 1, True), (2, 2, True), (1, 2, False)]
)
def test_only_stacks_that_are_not_higher_are_captured(amid, mine, theirs, allowed):
    position = amid(f"d4:T{mine if mine > 1 else ''} d7:t{theirs if theirs > 1 else ''} f1:T f3:t")
    assert objection(position, "d4xd7") == ("None" if allowed else f"too_high d4 d7 {mine} {theirs}")


def test_what_is_captured_leaves_with_all_its_pieces(amid, played):
    after = played(amid("d4:T3 d7:z2 f4:Z2"), "d4xd7")
    assert (after.on("d7"), after.on("d4")) == ("T3", "")
    assert after.counts(Side.SECOND)["Z"] == 1


def test_heights_add_up_and_the_type_that_moved_is_on_top(amid, played):
    after = played(amid("d4:T d7:t c4:A2 c2:Z3"), "d4xd7,c4+c2")
    assert (after.on("c2"), after.on("c4")) == ("A5", "")


def test_stacking_is_never_the_first_action(amid):
    position = amid("d4:T d7:t c4:A2 c2:Z3")
    assert objection(position, "c4xc2") == "first_captures c2"
    with pytest.raises(ValueError, match="canonical"):
        GAME.move("c4+c2")


def test_the_second_action_is_any_capture_stacking_or_nothing(amid, written):
    position = amid("d4:T d7:t c4:A c7:a")
    assert {"d4xd7", "d4xd7,c4xc7", "c4xc7,d4xd7", "d4xd7,a1+a2"} <= written(position)
    assert objection(position, "d4xd7,c4+c7") == "captures c7"
    assert objection(position, "d4xd7,a1xa2") == "stacks a2"


def test_the_same_stack_may_go_on(amid, played):
    after = played(amid("d4:T d7:t d8:z"), "d4xd7,d7xd8")
    assert (after.on("d8"), after.on("d7")) == ("T", "")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("b4xd4", "empty b4"),
        ("d7xd4", "not_yours d7"),
        ("d4xd7,d4xc4", "empty d4"),
        ("d4xd4", "nothing_there d4"),
    ],
)
def test_what_else_is_no_action(amid, text, code):
    assert objection(amid("d4:T d7:t c4:A"), text) == code


# T4: the types


@pytest.mark.parametrize(("kind", "code"), [("z", "no_z"), ("a", "no_a"), ("t", "no_t")])
def test_the_capture_of_the_last_of_a_type_wins_at_once(few, played, kind, code):
    others = {"z": "g1:a g2:t", "a": "g1:z g2:t", "t": "g1:z g2:a"}[kind]
    position = few(f"a1:Z a2:A c3:T c5:{kind} {others} h1:T")
    assert objection(position, "c3xc5,a1+a2") == "decided"
    assert played(position, "c3xc5").outcome() == Outcome(Side.FIRST, code)
    assert not [move for move in position.moves() if str(move).startswith("c3xc5,")]


def test_the_second_capture_may_take_the_last(few, played):
    position = few("a1:Z a2:A c3:T c5:t c6:z g1:a g2:t")
    assert played(position, "c3xc5,c5xc6").outcome() == Outcome(Side.FIRST, "no_z")


def test_a_side_that_covers_its_own_last_of_a_type_has_lost(few, played):
    position = few("a1:Z a2:A c3:T c5:t g1:a g2:t g3:z")
    assert played(position, "c3xc5,a1+a2").outcome() == Outcome(Side.SECOND, "covered_a")


def test_a_side_with_one_of_each_type_goes_on(few, played):
    position = few("a1:Z a2:A c3:T c5:t g1:a g2:t g3:z g4:A")
    assert played(position, "c3xc5").outcome() is None


# T5: no capture


def test_a_side_that_cannot_capture_has_lost(few):
    position = few("a1:Z a2:A a3:T i3:z i4:a i5:t")
    assert position.outcome() == Outcome(Side.SECOND, "no_capture")
    assert list(position.moves()) == []
    assert objection(position, "a1xa2") == "finished"


def test_who_faces_only_higher_stacks_cannot_capture(few):
    assert few("a1:Z a2:A a3:T a4:t2 i3:z i4:a i5:t").outcome() == Outcome(Side.SECOND, "no_capture")
    assert few("a1:Z a2:A a3:T a4:t2 i3:z i4:a i5:t", "black").outcome() is None


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "-" * 60 + " black",
        "Z" + "-" * 59 + " white",
        "/" + "/".join("-" * 59) + " white",
        "/" + "/".join(["T31", *"-" * 59]) + " white",
        "/" + "/".join(["T1", *"-" * 59]) + " white",
        "/" + "/".join(["X", *"-" * 59]) + " white",
        "/" + "/".join("Z" * 7 + "-" * 53) + " white",
        FIXED + " white",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), text)
