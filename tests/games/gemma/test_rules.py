"""What Gemma adds to Lines of Action: counted, and each rule as a picture and a move."""

from random import Random

import pytest

from games.gemma import GAME
from games.lines_of_action import GAME as LINES_OF_ACTION
from games.lines_of_action.rules import Rules
from games.protocol import Outcome, Side
from games.registry import canonical, find


def perft(position, depth):
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def written(position, start=""):
    return {str(move) for move in position.moves() if str(move).startswith(start)}


def played(position, *texts):
    for text in texts:
        move = GAME.move(text)
        assert position.objection(move) is None
        position = position.play(move)
    return position


def objection(position, text):
    return str(position.objection(GAME.move(text)))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("preset", "counts"),
    [("", (36, 1_232, 42_916, 1_419_964)), ("scrambled", (32, 984, 30_724, 919_584))],
)
def test_as_many_games_begin_as_another_engine_counts(preset, counts):
    start = GAME.start(GAME.presets[preset], "")
    assert tuple(perft(start, depth) for depth in range(1, 5)) == counts


def test_the_setups_are_those_of_lines_of_action():
    for preset in GAME.presets:
        rules = LINES_OF_ACTION.presets[preset]
        assert str(GAME.start(rules, "")) == str(LINES_OF_ACTION.start(rules, ""))


def test_there_is_no_setup_to_choose():
    with pytest.raises(ValueError, match="no set-up"):
        GAME.start(Rules(), "oxoxo")


def test_the_square_that_a_man_leaves_vanishes(board):
    position = board("""
        x . . x
        . . . .
        o . . .
        . . o .
    """)
    assert played(position, "a2-b2") == board(
        """
        x . . x
        . . . .
        # o . .
        . . o .
        """,
        "x",
    )


def test_the_square_of_a_captured_man_does_not(board):
    position = board("""
        x . . x
        . . . .
        o . x .
        . . . o
    """)
    assert played(position, "a2xc2") == board(
        """
        x . . x
        . . . .
        # . o .
        . . . o
        """,
        "x",
    )


def test_a_vanished_square_is_passed_over_and_counts_as_a_step_but_not_as_a_man(board):
    """Three men on the row: three steps, two of them over holes."""
    position = board("""
        x . . . . . . x
        . . . . . . . .
        . . . . . . . .
        o . o # # . . o
    """)
    assert written(position, "c1-f") == {"c1-f1"}
    assert objection(position, "c1-e1") == "distance c1 e1 3 2"
    assert objection(position, "c1-h1") == "distance c1 h1 3 5"


def test_nobody_lands_on_a_vanished_square(board):
    position = board("""
        x . . . . . . x
        . . . . . . . .
        . . . . . . . .
        o . o # . # . o
    """)
    assert objection(position, "c1-f1") == "vanished f1"
    assert "c1-f1" not in written(position)


def test_enemies_are_not_jumped_though_holes_are(board):
    position = board("""
        . . . . x
        . . . . .
        o # x # .
        o x # . o
    """)
    assert "a2xc2" in written(position)
    assert objection(position, "a1-d1") == "blocked a1 b1"


def test_a_hole_between_two_men_does_not_join_them(board):
    apart = board("""
        . . . x
        . . . .
        o # o .
        . . . x
    """)
    assert apart.outcome() is None
    assert GAME.scene(None, None, apart).notes[0].numbers == (2, 2)


def test_holes_around_a_group_do_not_part_it(board):
    position = board(
        """
        . # . x
        # o # .
        # # o #
        . . # x
        """,
        "x",
    )
    assert position.outcome() == Outcome(Side.FIRST, "joined")


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [(Rules(), Outcome(Side.FIRST, "both_mover")), (Rules(double="draw"), Outcome(None, "both_draw"))],
)
def test_a_capture_that_joins_both_sides(board, rules, outcome):
    position = board(
        """
        . x . . . . . .
        x x . . . . . .
        . . # # . . . .
        . . . o o . . .
        . # . . . x # o
        . . . . . . . .
        . . . . . . . .
        """,
        rules=rules,
    )
    assert played(position, "h3xf3").outcome() == outcome


def test_over_a_hole():
    """The first example of the rules page."""
    position = played(GAME.start(Rules(), ""), "b8-b6", "h2-f2")
    assert str(position) == "1#ooooo1/x6x/xo5x/x6x/x6x/x6x/x4x1#/1oooooo1 o"
    assert position.objection(GAME.move("f8-a8")) is None
    assert objection(position, "g8-b8") == "vanished b8"
    assert objection(position, "b6-b8") == "vanished b8"


def test_every_turn_takes_a_square_so_nothing_repeats_and_a_game_is_short():
    assert GAME.repetition is None
    for seed in range(20):
        rng, position, turns = Random(seed), GAME.start(Rules(scrambled=seed % 2 == 1), ""), 0
        while not position.outcome():
            assert position.count() > 0
            position, turns = position.play(position.sample(rng)), turns + 1
            assert position.gone.bit_count() == turns
        assert turns <= 64


def test_the_switch_for_who_has_no_move_may_be_named_and_changes_nothing(board):
    game, rules = find("gemma:stuck=loss")
    assert canonical(game, rules) == "gemma:stuck=loss"
    position = board(
        """
        # o #
        # # #
        o # x
        """,
        "o",
        Rules(size=3, stuck="loss"),
    )
    assert position.outcome() == Outcome(Side.SECOND, "joined")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "o",
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1",
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 z",
        "1oooooo1/x6x/x#5#x/x6x/x6x/x6x/x6x/1oooooo1 o",
        "1oooooo1/x6x/x?5x/x6x/x6x/x6x/x6x/1oooooo1 o",
        "########/8/8/8/8/8/8/1oooooo1 o",
    ],
)
def test_what_is_not_a_position_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|lacks|has more"):
        GAME.position(Rules(), text)
