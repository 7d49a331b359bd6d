"""A record replays: to the same positions, to the same end, and to a draw when nothing changes."""

from dataclasses import replace

import pytest

from games.protocol import GameOver, IllegalMove, Outcome, Side, UnknownName
from games.record import Course, Record, verdict
from games.registry import find

THERE_AND_BACK = ("d1-d3", "a4-c4", "d3-d1", "c4-a4")

# Black's men sit in two corners, walled in; White is to move after the pass.
WALLED_IN = "6xo/6xx/8/8/8/8/xx6/ox6 o"


def test_a_record_replays_from_the_start_to_the_last_move():
    positions = Record("loa", 1, ("d1-d3", "a4-c4")).replay()
    assert [str(position) for position in positions] == [
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 o",
        "1oooooo1/x6x/x6x/x6x/x6x/x2o3x/x6x/1oo1ooo1 x",
        "1oooooo1/x6x/x6x/x6x/2x4x/x2o3x/x6x/1oo1ooo1 o",
    ]


def test_the_name_of_the_game_carries_its_rules():
    (start,) = Record("loa:scrambled,double=draw", 1).replay()
    assert start.rules.scrambled
    assert start.rules.double == "draw"


@pytest.mark.usefixtures("nim")
def test_a_record_begins_with_its_setup():
    assert [str(position) for position in Record("nim", 1, ("3", "1"), setup="9").replay()] == [
        "9 0",
        "6 1",
        "5 0",
    ]


@pytest.mark.usefixtures("nim")
def test_a_game_ends_where_the_board_says_so():
    assert Record("nim", 1, ("3", "1"), setup="4").outcome() == Outcome(Side.SECOND, "last_stone")
    assert Record("nim", 1, ("3",), setup="4").outcome() is None


@pytest.mark.usefixtures("nim")
def test_what_the_board_does_not_say_is_taken_from_the_record():
    resigned = Outcome(Side.FIRST, "resigned")
    assert Record("nim", 1, ("3",), setup="4", result=resigned).outcome() == resigned
    assert Record("nim", 1, ("3", "1"), setup="4", result=resigned).outcome() != resigned


def test_the_third_occurrence_of_a_position_is_a_draw():
    assert Record("loa", 1, THERE_AND_BACK * 2).outcome() == Outcome(None, "repetition")


def test_the_second_occurrence_is_not():
    assert Record("loa", 1, (*THERE_AND_BACK, *THERE_AND_BACK[:-1])).outcome() is None


def test_a_game_without_the_rule_goes_on_for_ever():
    game, rules = find("loa")
    start = game.start(rules, "")
    assert verdict(game, start, 3) == Outcome(None, "repetition")
    assert verdict(replace(game, repetition=None), start, 99) is None


def test_what_the_board_says_outweighs_repetition():
    game, rules = find("loa")
    joined = game.position(rules, "8/8/8/2ooo3/8/x6x/8/8 x")
    assert verdict(game, joined, 3) == Outcome(Side.FIRST, "joined")


def test_a_forced_pass_is_a_turn_of_the_record():
    game, rules = find("loa")
    course = Course(game, game.position(rules, WALLED_IN))
    assert list(course.position.moves()) == [game.forced_pass]
    course.play(game.move("pass"))
    assert str(course.play(game.move("g8-e8"))) == "4x2o/6xx/8/8/8/8/xx6/ox6 o"


def test_no_move_follows_the_end():
    with pytest.raises(GameOver, match=r"'d1-d3' comes after the end .* repetition"):
        Record("loa", 1, (*THERE_AND_BACK * 2, "d1-d3")).replay()


def test_an_illegal_move_is_not_replayed():
    with pytest.raises(IllegalMove, match="'d1-d4' is illegal"):
        Record("loa", 1, ("d1-d4",)).replay()


@pytest.mark.parametrize("record", [Record("loa", 1, ("D1-D3",)), Record("loa", 1, setup="8/8 o")])
def test_what_is_no_canonical_text_is_not_replayed(record):
    with pytest.raises(ValueError, match=r"D1-D3|8/8 o"):
        record.replay()


def test_a_record_of_an_unknown_game_is_not_replayed():
    with pytest.raises(UnknownName, match="loaf"):
        Record("loaf", 1).replay()
