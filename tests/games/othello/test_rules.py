"""The rules of Othello, edge by edge, each as a picture; and those of its variants."""

from random import Random

import pytest

from games.othello import GAME
from games.othello.rules import PASS, Move, Rules
from games.protocol import Objection, Outcome, Side

FEWEST = Rules(aim="fewest")
OLD = Rules(opening="reversi")
SMALL = Rules(size=6)


def squares(position):
    return {str(move) for move in position.moves()}


def played(position, *texts):
    for text in texts:
        assert position.objection(GAME.move(text)) is None
        position = position.play(GAME.move(text))
    return position


@pytest.mark.parametrize(
    ("preset", "start", "first"),
    [
        ("", "8/8/8/3ox3/3xo3/8/8/8 x", {"d3", "c4", "f5", "e6"}),
        ("6", "6/6/2ox2/2xo2/6/6 x", {"c2", "b3", "e4", "d5"}),
        ("10", "10/10/10/10/4ox4/4xo4/10/10/10/10 x", {"e4", "d5", "g6", "f7"}),
        ("anti", "8/8/8/3ox3/3xo3/8/8/8 x", {"d3", "c4", "f5", "e6"}),
        ("reversi", "8/8/8/8/8/8/8/8 x", {"d4", "e4", "d5", "e5"}),
    ],
)
def test_white_begins_on_the_diagonal_of_a1_and_black_plays_first(preset, start, first):
    position = GAME.start(GAME.presets[preset], "")
    assert (str(position), position.to_move) == (start, Side.FIRST)
    assert squares(position) == first


def test_there_is_no_setup_to_choose():
    with pytest.raises(ValueError, match="no set-up"):
        GAME.start(Rules(), "ox")


def test_a_disc_has_to_outflank(board):
    """O1: a row of enemy discs, unbroken, that ends at an own disc. From e1 it ends at the edge, from g3 at a gap."""
    position = board("""
        . O O O . . . .
        . . . . . . . .
        X O O . O O . .
        . . . . . . . .
    """)
    assert squares(position) == {"d3"}
    assert position.objection(Move("e1")) == Objection("outflanks_nothing", ("e1",))
    assert position.objection(Move("g3")) == Objection("outflanks_nothing", ("g3",))
    assert position.objection(Move("h8")) == Objection("touches_nothing", ("h8",))


def test_all_eight_rows_are_turned_over_at_once(board):
    """O1: each of the eight directions that ends at an own disc, and no other row of the board."""
    position = board("""
        X . . X . . X .
        . O . O . O . .
        . . O O O . . .
        X O O . O O X O
        . . O O O . . .
        . O . O . O . .
        X . . X . . X .
        . . . O . . . .
    """)
    after = played(position, "d4")
    assert str(after) == "x2x2x1/1x1x1x2/2xxx3/xxxxxxxo/2xxx3/1x1x1x2/x2x2x1/3o4 o"
    assert position.turned(Move("d4")).bit_count() == 16


def test_a_row_is_turned_over_up_to_the_first_own_disc(board):
    """O1: d1 and e1 lie behind c1 and stay."""
    position = board("""
        . O X O O X O .
        . O . . . . . .
        . X . . . . . .
    """)
    assert str(played(position, "a1")).split("/")[0] == "xxxooxo1"
    assert played(position, "a1").discs[1] == position.discs[1] ^ position.rules.board.bits["b1"]


def test_a_row_does_not_go_on_at_the_other_edge(board):
    position = board("""
        . . . . . . X O
        . O . . . . . .
        O X . . . . . .
    """)
    assert squares(position) == {"b1"}


PASSES = """
    . O X X X X X X
    . . . . . . . .
    . . . . . . . .
"""


def test_a_side_that_cannot_outflank_passes(board):
    """O2: Black could play a1, White nowhere."""
    position = board(PASSES, "o")
    assert position.outcome() is None
    assert list(position.moves()) == [PASS] == [GAME.forced_pass]
    assert position.count() == 1
    assert position.sample(Random(1)) == PASS
    assert position.objection(PASS) is None
    assert position.objection(Move("a1")) == Objection("must_pass")
    after = played(position, "pass")
    assert after.discs == position.discs
    assert after.to_move == Side.FIRST


def test_a_side_that_can_outflank_may_not_pass(board):
    """O2."""
    position = board(PASSES)
    assert position.objection(PASS) == Objection("no_pass", ("a1",))
    assert squares(position) == {"a1"}


OVER = """
    O O O X . . . .
    O O O . . . . .
"""


def test_the_game_is_over_when_neither_can_outflank(board):
    """O3: with 57 squares empty White has more discs."""
    position = board(
        """
        . X X O . . . .
        . . . . . . . .
        . . . . . . . .
        X . . . . . . .
    """,
        "o",
    )
    after = played(position, "a1")
    assert str(after) == "oooo4/8/8/x7/8/8/8/8 x"
    assert after.outcome() == Outcome(Side.SECOND, "most")
    assert (list(after.moves()), after.count()) == ([], 0)
    for text in ("a5", "pass"):
        assert after.objection(GAME.move(text)) == Objection("finished")


def test_a_side_without_a_disc_has_lost(board):
    """O3: neither can outflank then."""
    after = played(board(". O X"), "a1")
    assert after.outcome() == Outcome(Side.FIRST, "most")


FULL = """
    O O O O O O
    O X X X O O
    O X O O X O
    X X O O X X
    X X X X X X
    X X {} {} O O
"""


@pytest.mark.parametrize(
    ("last", "rules", "outcome"),
    [
        ("XO", SMALL, Outcome(None, "equal")),
        ("XX", SMALL, Outcome(Side.FIRST, "most")),
        ("OO", SMALL, Outcome(Side.SECOND, "most")),
        ("XX", Rules(6, aim="fewest"), Outcome(Side.SECOND, "fewest")),
        ("OO", Rules(6, aim="fewest"), Outcome(Side.FIRST, "fewest")),
        ("XO", Rules(6, aim="fewest"), Outcome(None, "equal")),
    ],
)
def test_a_full_board_is_counted(board, last, rules, outcome):
    """O3: 18 discs each are a draw."""
    assert board(FULL.format(*last), rules=rules).outcome() == outcome


def test_the_score_is_what_lies_on_the_board(board):
    """O4: empty squares count for neither side."""
    scene = GAME.scene(None, None, board(OVER))
    assert scene.notes[0].numbers == (1, 6)


def test_fewer_discs_win_in_the_anti_game(board):
    after = played(board(". O X", rules=FEWEST), "a1")
    assert after.outcome() == Outcome(Side.SECOND, "fewest")


def test_reversi_fills_the_centre_first_and_turns_nothing_over_meanwhile(board):
    start = GAME.start(OLD, "")
    for text, objection in (
        ("d3", Objection("centre_first", ("d4", "e4", "d5", "e5"))),
        ("i1", Objection("off_board", ("i1",))),
        ("pass", Objection("no_pass", ("d4", "e4", "d5", "e5"))),
    ):
        assert start.objection(GAME.move(text)) == objection
    third = played(start, "d4", "e4")
    assert third.objection(Move("e4")) == Objection("occupied", ("e4",))
    assert third.objection(Move("c3")) == Objection("centre_first", ("d5", "e5"))
    beside = played(third, "d5", "e5")
    assert str(beside) == "8/8/8/3xo3/3xo3/8/8/8 x"
    assert squares(beside) == {"f3", "f4", "f5", "f6"}
    crossed = played(third, "e5", "d5")
    assert str(crossed) == "8/8/8/3xo3/3ox3/8/8/8 x"
    assert str(played(crossed, "f4")) == "8/8/8/3xxx2/3ox3/8/8/8 o"


def test_a_disc_enclosed_in_the_opening_of_reversi_is_not_turned_over():
    """Black on d4 and f4 would enclose e4, but f4 is no square of the centre; four in a row never come about."""
    after = played(GAME.start(Rules(6, "reversi"), ""), "c3", "d3", "d4", "c4", "e3")
    assert str(after) == "6/6/2xxx1/2ox2/6/6 o"


@pytest.mark.parametrize("preset", GAME.presets)
def test_random_games_end_within_as_many_discs_as_squares(preset):
    rules = GAME.presets[preset]
    for seed in range(20):
        rng, position, discs = Random(seed), GAME.start(rules, ""), 0
        while not position.outcome():
            move = position.sample(rng)
            assert position.objection(move) is None
            position = position.play(move)
            discs += move != PASS
        assert discs <= rules.size**2 - 4 * (rules.opening == "othello")


def test_every_move_is_drawn_equally_often():
    rng, position = Random(6), GAME.start(Rules(), "")
    drawn = [position.sample(rng) for _ in range(4 * 400)]
    assert set(drawn) == set(position.moves())
    # 400 expected each, standard deviation 17
    assert all(330 < drawn.count(move) < 470 for move in set(drawn))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "8/8/8/3ox3/3xo3/8/8/8",
        "8/8/8/3ox3/3xo3/8/8/8 b",
        "8/8/8/3ox3/3xo3/8/8/8  x",
        "8/8/8/3oz3/3xo3/8/8/8 x",
        "6/6/2ox2/2xo2/6/6 x",
    ],
)
def test_what_is_not_a_position_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|has more|does not say"):
        GAME.position(Rules(), text)
