"""Each rule of LYNGK as a small picture and a move."""

from random import Random

import pytest

from games.lyngk import GAME
from games.lyngk.board import EACH, INDEX, PASS, POINTS, RAYS
from games.lyngk.rules import Rules, start
from games.protocol import Outcome, Side

ALIVE = "h2:I h3:K"  # far from all others, so that the game goes on
SETUP = "RRJKBIBIKJKIKRGIRGKBIBGGKRBBRKBIRGRGBKIGJIG"


def objection(position, text):
    return str(position.objection(GAME.move(text)))


def ray(name):
    return {" ".join(POINTS[point] for point in ray) for ray in RAYS[INDEX[name]]}


# The board and the set-up


def test_43_points_in_nine_lines():
    assert len(POINTS) == len({*POINTS}) == sum(EACH.values()) == 43
    assert [sum(name[0] == letter for name in POINTS) for letter in "abcdefghi"] == [
        1,
        4,
        7,
        6,
        7,
        6,
        7,
        4,
        1,
    ]


def test_lines_end_where_a_point_is_missing():
    assert ray("d4") == {"d5 d6", "e5 f5 g6", "e4 f3 g3 h1", "d3 d2 d1", "c4 b2", "c5 b4"}
    assert ray("a1") == {"b3 c5 d5 e6 f6 g7", "b2 c3 d2 e2 f1 g1"}
    assert ray("b1") == {"b2 b3 b4", "c3 d3 e4 f4 g5 h4", "c2 d1 e1"}


def test_a_set_up_comes_from_its_seed():
    draws = [GAME.draw_setup(Rules(), Random(seed)) for seed in range(50)]
    assert len(set(draws)) == 50
    assert draws[7] == GAME.draw_setup(Rules(), Random(7))
    assert "".join(start(Rules(), draws[0]).board) == draws[0]


@pytest.mark.parametrize("setup", ["", "I" * 43, SETUP[1:], f"{SETUP}I"])
def test_a_bad_set_up_is_refused(setup):
    with pytest.raises(ValueError, match="letters"):
        start(Rules(), setup)


# L1: claims


def test_one_colour_may_be_claimed_before_a_move(few, played):
    after = played(few("c1:R c2:B d6:G d5:I"), "R,c1-c2")
    assert (after.claims, after.on("c2"), after.to_move) == (("R", ""), "BR", Side.SECOND)
    assert objection(after, "R,d6-d5") == "claimed red"
    assert objection(after, "c2-d5") == "not_yours c2 d5 red"


def test_two_colours_are_the_most(few, written):
    position = few("c1:R c2:B d6:G d5:I", "R0B0")
    assert objection(position, "G,d6-d5") == "two_claimed red blue"
    assert objection(position, "B,d6-d5") == "claimed_by_you blue"
    assert not [text for text in written(position) if "," in text]


def test_neutral_stacks_are_moved_by_both(few, written):
    for side in ("first", "second"):
        assert "d6-d5" in written(few("c1:R c2:B d6:G d5:I", "R0", "B0", side))


def test_a_joker_on_top_is_not_moved_but_may_be_covered(few, written):
    position = few("c1:RJ c2:BK")
    assert objection(position, "c1-c2") == "joker_on_top c1 c2"
    assert written(position) >= {"c2-c1", "K,c2-c1"}
    with pytest.raises(ValueError, match="canonical"):
        GAME.move("J,c2-c1")


# L2: along a line to the first stack


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("c1-c5", "None"),
        ("c1-c7", "blocked c1 c7 c5"),
        ("c1-f5", "off_line c1 f5"),
        ("c1-c3", "nothing_there c3"),
        ("c1-c1", "nothing_there c1"),
        ("c3-c1", "empty c3 c1"),
        ("c1-a7", "no_point a7"),
    ],
)
def test_a_stack_goes_to_the_first_on_its_line(few, text, code):
    assert objection(few("c1:R c5:B c7:K f5:G"), text) == code


# L3: heights and colours


def test_five_is_the_most(few):
    assert objection(few(f"{ALIVE} c1:RGB c2:KIJ", "B0"), "c1-c2") == "too_high c1 c2 6 5"
    assert objection(few("c1:RGB c2:KI", "B0"), "c1-c2") == "None"


def test_no_colour_is_in_a_stack_twice_but_jokers_may_be(few):
    assert objection(few(f"{ALIVE} c1:RGB c2:KG"), "c1-c2") == "colour_twice c1 c2 green"
    assert objection(few("c1:RJB c2:KJ"), "c1-c2") == "None"


# L4: neutral stacks do not climb


@pytest.mark.parametrize(("mine", "code"), [("-", "neutral_climbs c1 c2 red 1 2"), ("R0", "None")])
def test_a_neutral_stack_goes_onto_none_that_is_higher(few, mine, code):
    position = few("c1:R c2:KG", mine)
    assert objection(position, "c1-c2") == code
    assert objection(position, "c2-c1") == "None"
    assert objection(few("c1:RB c2:KG", mine), "c1-c2") == "None"


# L5: turning points


def test_own_stacks_turn_on_stacks_with_their_colour_on_top(few, played):
    position = few("c1:R c4:BR f5:GK", "R0")
    assert objection(position, "c1-f5") == "None"
    assert position.way(GAME.move("c1-f5")) == ("c1", "c4", "f5")
    assert played(position, "c1-f5").on("f5") == "GKR"
    assert objection(few("c1:R c4:BR f5:GK"), "c1-f5") == "off_line c1 f5"
    assert objection(few("c1:R c4:BR f5:GK"), "R,c1-f5") == "None"


def test_a_colour_of_ones_own_that_is_another_is_no_turning_point(few):
    assert objection(few("c1:R c4:B f5:GK", "R0B0"), "c1-f5") == "off_line c1 f5"


def test_a_turning_point_must_be_reached_along_a_free_line(few):
    assert objection(few("c1:R c2:B c4:R f5:GK", "R0"), "c1-f5") == "off_line c1 f5"


def test_several_turns_are_possible_and_the_start_is_one(few):
    position = few("c1:R c4:R f5:R f1:K", "R0")
    assert position.way(GAME.move("c1-f1")) == ("c1", "c4", "f5", "f1")
    assert "c1-c4" not in map(str, position.moves()), "red twice"


# L6: stacks of five


def test_five_with_ones_own_colour_on_top_is_won_at_once(few, played):
    after = played(few("c1:RG c2:KIJ c4:B", "G0"), "c1-c2")
    assert (after.on("c2"), after.fives("G"), str(after).split()[1]) == ("", 1, "G1")


def test_five_with_a_neutral_colour_on_top_waits(few, played):
    after = played(few(f"{ALIVE} c1:RGB c2:KI c4:J"), "c1-c2")
    assert (after.on("c2"), sum(after.won)) == ("KIRGB", 0)
    assert objection(after, "c2-c4") == "too_high c2 c4 6 5"


def test_a_claim_takes_what_waits_and_frees_its_point_for_the_move(few, played, written):
    position = few("e4:IKBGR e6:GR e2:IKJ b2:B c6:I")
    assert written(position) == {"R,e6-e2", "B,b2-e2"}
    after = played(position, "R,e6-e2")
    assert (after.on("e4"), after.on("e2"), after.fives("R")) == ("", "", 2)


# L7, L8: no turn, and claims that make one possible


def test_who_has_no_turn_passes(few, written, played):
    position = few("c1:R c2:KG", "G0K0", "R0I0", "first")
    assert objection(position, "pass") == "no_pass c2 c1"
    stuck = few("c1:R c2:KG", "I0B0", "R0G0")
    assert written(stuck) == {"pass"}
    assert stuck.count() == 1
    assert written(played(stuck, "pass")) == {"c1-c2", "c2-c1"}


def test_a_turn_that_only_a_claim_makes_possible_must_be_played(few, written):
    position = few("c1:R c2:KJ")
    assert written(position) == {"R,c1-c2"}
    assert objection(position, "pass") == "no_pass c1 c2"
    assert objection(position, "c1-c2") == "neutral_climbs c1 c2 red 1 2"


# The end


@pytest.mark.parametrize(
    ("stacks", "first", "second", "outcome"),
    [
        ("a1:J", "R2", "B1", Outcome(Side.FIRST, "stacks_5")),
        ("a1:RGKB b1:R", "R1", "B1", Outcome(Side.SECOND, "stacks_4")),
        ("a1:KGR b1:JB c1:B", "R1", "B1", Outcome(Side.FIRST, "stacks_3")),
        ("a1:KB b1:R c1:R d4:R", "R0", "B0", Outcome(Side.SECOND, "stacks_2")),
        ("a1:KB b1:KR c1:R", "R0", "B0", Outcome(Side.FIRST, "stacks_1")),
        ("a1:R b1:B", "R1", "B1", Outcome(None, "equal")),
        ("a1:J b1:GKI", "R0", "B0", Outcome(None, "equal")),
    ],
)
def test_when_neither_has_a_turn_higher_stacks_decide(few, stacks, first, second, outcome):
    assert few(stacks, first, second).outcome() == outcome


def test_the_game_goes_on_while_either_has_a_turn_with_a_claim(few):
    position = few("c1:R c2:KJ", "G0B0")
    assert (position.outcome(), list(position.moves())) == (None, [PASS]), "the second player may claim red"


# The variant with six


def test_six_with_ones_own_colour_wins_at_once(few, played):
    after = played(few("c1:RGB c2:KIJ", "B0", preset="six"), "c1-c2")
    assert (after.outcome(), after.on("c2")) == (Outcome(Side.FIRST, "six"), "KIJRGB")
    assert list(after.moves()) == []


def test_six_with_a_neutral_colour_wins_nothing_not_even_by_a_claim(few, played):
    after = played(few(f"{ALIVE} c1:RGB c2:KIJ h1:G", preset="six"), "c1-c2 B,h3-h2")
    assert (after.outcome(), after.on("c2")) == (None, "KIJRGB")


def test_in_the_variant_five_stay_and_count_at_the_end(few, played):
    after = played(few("c1:RGB c2:KI c4:J", "B0", preset="six"), "c1-c2")
    assert (after.on("c2"), after.stacks(Side.FIRST, 5), sum(after.won)) == ("KIRGB", 1, 0)
    assert few("c1:KIRGB i1:RJ", "B0", "K0", preset="six").outcome() == Outcome(Side.FIRST, "stacks_5")


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "- - first",
        f"{'/'.join('-' * 42)} - - first",
        f"{'/'.join('-' * 43)} - - third",
        f"{'/'.join('-' * 43)} RR - first",
        f"{'/'.join('-' * 43)} R0 R0 first",
        f"{'/'.join('-' * 43)} J0 - first",
        f"RR/{'/'.join('-' * 42)} - - first",
        f"RGBKIJ/{'/'.join('-' * 42)} - - first",
        f"{'/'.join('R' * 9 + '-' * 34)} - - first",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"does not|has "):
        GAME.position(Rules(), text)


def test_a_pass_is_written(few):
    assert GAME.move("pass") is PASS
