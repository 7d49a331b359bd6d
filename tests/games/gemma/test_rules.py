"""What Gemma adds to Lines of Action: counted, and each rule as a picture and a move."""

from random import Random

import pytest

from games.gemma import GAME
from games.gemma.rules import Removal
from games.lines_of_action import GAME as LINES_OF_ACTION
from games.lines_of_action.rules import Rules
from games.lines_of_action.slides import PASS
from games.protocol import Objection, Outcome, Side
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


STUCK = """
    . . . . . . . .
    . . . . . . . x
    . x . . . . . .
    . . . . o . . .
    . . . o . . . .
    . . . . . . . .
    # . . . . . . .
    o . # . . . x .
"""


def test_a_man_who_cannot_move_may_be_removed_and_may_win_by_it(board):
    """The second example of the rules page."""
    position = board(STUCK)
    assert written(position, "a1") == set()
    assert written(position, "x") == {"xa1"}
    after = played(position, "xa1")
    assert str(after) == "8/7x/1x6/4o3/3o4/8/#7/#1#3x1 x"
    assert after.outcome() == Outcome(Side.FIRST, "joined")
    assert written(after) == set()


def test_a_removal_is_a_turn_beside_others(board):
    assert "d4-d5" in written(board(STUCK))
    assert len(written(board(STUCK))) == board(STUCK).count()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("xd4", "can_move d4"),
        ("xa2", "empty a2"),
        ("xh8", "empty h8"),
        ("xg1", "not_yours g1"),
        ("xa9", "off_board a9"),
        ("a2-a3", "empty a2"),
        ("a1-a2", "vanished a2"),
        ("a1-c1", "vanished c1"),
        ("a1-d4", "own_man d4"),
        ("pass", "no_pass"),
    ],
)
def test_why_not(board, text, why):
    assert objection(board(STUCK), text).startswith(why)


def test_who_may_not_be_removed_is_told_a_move(board):
    position = board(STUCK)
    code, man, target = objection(position, "xd4").split()
    assert (code, man) == ("can_move", "d4")
    assert f"d4-{target}" in written(position)


def test_who_can_only_capture_is_not_removed(board):
    position = board("""
        . x . .
        # . . o
        # # . .
        o # x .
    """)
    assert written(position, "a1") == {"a1xc1"}
    assert objection(position, "xa1") == "can_move a1 c1"


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


def test_a_removal_may_leave_a_single_man_who_is_a_group(board):
    position = board("""
        . o . . . x
        . . . . . .
        # # . . . .
        o # # . . x
    """)
    assert played(position, "xa1").outcome() == Outcome(Side.FIRST, "joined")


def test_after_a_removal_that_joins_nobody_the_game_goes_on(board):
    position = board("""
        . o . . . x
        . . . . . .
        # # . o . .
        o # # . . x
    """)
    assert played(position, "xa1").outcome() is None


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


def test_a_side_whose_men_are_all_stuck_removes_one(board):
    position = board(
        """
        o x o
        # # #
        o x o
        """,
        rules=Rules(size=3, stuck="loss"),
    )
    assert position.outcome() is None
    assert written(position) == {"xa1", "xc1", "xa3", "xc3"}
    assert position.count() == 4
    assert position.objection(PASS) == Objection("no_pass")


def test_every_turn_is_drawn_equally_often_removals_too(board):
    rng, position = Random(6), board(STUCK)
    moves = set(position.moves())
    drawn = [position.sample(rng) for _ in range(400 * len(moves))]
    assert set(drawn) == moves
    assert Removal("a1") in moves
    # 400 expected each, standard deviation 20
    assert all(310 < drawn.count(move) < 490 for move in moves)


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
