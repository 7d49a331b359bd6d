"""The rules of Lines of Action: counted, replayed from Fogliaccio degli Astratti 6, edge by edge."""

from random import Random

import pytest

from games.lines_of_action import GAME
from games.lines_of_action.board import PASS, Move
from games.lines_of_action.rules import Rules
from games.protocol import Objection, Outcome, Side

DRAW = Rules(double="draw")


def perft(position, depth):
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def written(position):
    return {str(move) for move in position.moves()}


def played(position, text):
    return position.play(GAME.move(text))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (Rules(), (36, 1_244, 44_952, 1_563_208)),
        (Rules(scrambled=True), (32, 992, 32_000, 1_002_260)),
        (Rules(size=6), (24, 524, 11_440, 234_560)),
        (Rules(size=6, scrambled=True), (20, 392, 7_700, 147_336)),
    ],
)
def test_as_many_games_begin_as_other_engines_count(rules, counts):
    start = GAME.start(rules, "")
    assert tuple(perft(start, depth) for depth in range(1, 5)) == counts


def test_the_setups():
    assert {preset: str(GAME.start(rules, "")) for preset, rules in GAME.presets.items()} == {
        "": "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 o",
        "scrambled": "1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1 o",
        "6x6": "1oooo1/x4x/x4x/x4x/x4x/1oooo1 o",
        "6x6-scrambled": "1oxox1/x4o/o4x/x4o/o4x/1xoxo1 o",
    }


@pytest.mark.parametrize(
    ("rules", "text", "objection"),
    [
        (Rules(size=6), "b1-b3", None),
        (Rules(size=6), "b1-f1", None),
        (Rules(size=6), "b1-g1", Objection("off_board", ("g1",))),
        (Rules(), "b1-f1", Objection("distance", ("b1", "f1"), numbers=(6, 4))),
    ],
)
def test_the_pergolazione_is_smaller(rules, text, objection):
    assert GAME.start(rules, "").objection(GAME.move(text)) == objection


def test_there_is_no_setup_to_choose():
    with pytest.raises(ValueError, match="no set-up"):
        GAME.start(Rules(), "oxoxo")


def test_only_the_right_man_moves_three_squares_to_the_right(board):
    """Fogliaccio 6: the others are blocked by an enemy man."""
    position = board("""
        . . . . . . . x
        . . . . . . . .
        . . . . . . . .
        o . x . o . . .
    """)
    along = {move for move in written(position) if move[1] == move[-1] == "1"}
    assert along == {"e1-h1"}


def test_a_man_jumps_his_own_and_takes_the_enemy_at_the_exact_distance(board):
    """Fogliaccio 6: the left X takes the right O."""
    position = board(
        """
        . . . . . . . o
        . . . . . . . .
        . . . . . . . x
        o x x . . o . .
        """,
        "x",
    )
    along = {move for move in written(position) if move[1] == move[-1] == "1"}
    assert along == {"b1xf1"}
    assert str(played(position, "b1xf1")) == "8/8/8/8/7o/8/7x/o1x2x2 o"


def test_joined_men_win(board):
    """Fogliaccio 6: X is one group, O are three."""
    position = board("""
        . x . x o
        x x x . .
        . . . x o
        . o o . .
    """)
    assert position.outcome() == Outcome(Side.SECOND, "joined")
    assert GAME.scene(None, None, position).notes[0].numbers == (3, 1)
    assert not written(position)
    assert position.count() == 0


def test_the_man_on_b1_and_his_neighbour():
    """The first example of the rules page."""
    moves = written(GAME.start(Rules(), ""))
    assert {move for move in moves if move.startswith("b1")} == {"b1-h1", "b1-b3", "b1-d3"}
    assert {"c1xa3"} == {move for move in moves if move.startswith("c1x")}


BOTH = """
    . x . . . . . .
    x x . . . . . .
    . . . . . . . .
    . . . o o . . .
    . . . . . x . o
    . . . . . . . .
    . . . . . . . .
"""


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [(Rules(), Outcome(Side.FIRST, "both_mover")), (DRAW, Outcome(None, "both_draw"))],
)
def test_a_capture_that_joins_both_sides(board, rules, outcome):
    """The second example of the rules page."""
    position = board(BOTH, rules=rules)
    assert position.outcome() is None
    assert played(position, "h3xf3").outcome() == outcome


def test_the_mover_is_the_winner_also_when_it_is_white(board):
    swapped = BOTH.replace("x", "?").replace("o", "x").replace("?", "o")
    assert played(board(swapped, "x"), "h3xf3").outcome() == Outcome(Side.SECOND, "both_mover")


def test_a_capture_that_joins_only_the_opponent_loses(board):
    position = board("""
        . x . . . . . .
        x x . . . . . .
        . . . . . . . .
        o . . o . . . .
        . . . . . x . o
        . . . . . . . .
        . . . . . . . .
    """)
    assert played(position, "h3xf3").outcome() == Outcome(Side.SECOND, "joined_by_loser")


@pytest.mark.parametrize("rules", [Rules(), DRAW])
def test_a_single_man_is_a_group(board, rules):
    position = board(
        """
        o . . . . . . .
        . . . . . . . .
        . . . . . . . o
        . . . . . . . .
        x . . . . . . .
        . . . . . x . o
        . . . . . . . .
        """,
        rules=rules,
    )
    assert played(position, "h2xf2").outcome() == Outcome(Side.SECOND, "joined_by_loser")


STUCK = """
    o x o
    . . .
    o x o
"""
DEADLOCK = """
    o x o
    o . o
    o x o
"""


def test_a_side_without_a_move_passes(board):
    position = board(STUCK, rules=Rules(size=3))
    assert position.outcome() is None
    assert list(position.moves()) == [PASS] == [GAME.forced_pass]
    assert position.count() == 1
    assert position.sample(Random(1)) == PASS
    assert position.objection(PASS) is None
    assert position.objection(Move("a1", "a2")) == Objection("must_pass")
    after = position.play(PASS)
    assert after.men == position.men
    assert after.to_move == Side.SECOND
    assert after.objection(PASS) == Objection("no_pass")
    assert written(after) == {"b1-a2", "b1-c2", "b3-a2", "b3-c2"}


def test_a_side_without_a_move_loses_under_the_switch(board):
    position = board(STUCK, rules=Rules(size=3, stuck="loss"))
    assert position.outcome() == Outcome(Side.SECOND, "stuck")
    assert list(position.moves()) == []
    assert position.count() == 0
    assert position.objection(PASS) == Objection("finished")


@pytest.mark.parametrize(
    ("stuck", "outcome"), [("pass", Outcome(None, "deadlock")), ("loss", Outcome(Side.SECOND, "stuck"))]
)
def test_two_sides_without_a_move(board, stuck, outcome):
    position = board(DEADLOCK, rules=Rules(size=3, stuck=stuck))
    assert position.outcome() == outcome
    assert list(position.moves()) == []
    assert position.count() == 0


def test_a_repeated_position_has_the_same_key():
    start = GAME.start(Rules(), "")
    positions = [start]
    for text in ("b1-b3", "a2-c2", "b3-b1", "c2-a2"):
        positions.append(played(positions[-1], text))
    assert [position.key() == start.key() for position in positions] == [True, False, False, False, True]
    assert positions[-1] == start


def test_every_move_is_drawn_equally_often():
    rng = Random(6)
    position = GAME.start(Rules(), "")
    drawn = [position.sample(rng) for _ in range(36 * 400)]
    moves = set(position.moves())
    assert set(drawn) == moves
    # 400 expected each, standard deviation 20
    assert all(310 < drawn.count(move) < 490 for move in moves)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "o",
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1",
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 z",
        "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1  o",
        "1oooooo1/8/8/8/8/8/8/1oooooo1 o",
        "1oooo1/x4x/x4x/x4x/x4x/1oooo1 o",
    ],
)
def test_what_is_not_a_position_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|lacks"):
        GAME.position(Rules(), text)
