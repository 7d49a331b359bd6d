"""How trapdoor chess ends: mate, stalemate, two kings, fifty moves, repetition."""

from games.protocol import Outcome, Side
from games.record import Course
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules

START = GAME.start(Rules(), "")


def after(position, text):
    return position.play(GAME.move(text))


def test_mate(board):
    position = board(
        """
        . K . . . . . @
        . . . . . . . .
        k . . . . . . R
        """,
        to_move="b",
    )
    assert position.outcome() == Outcome(Side.FIRST, "mate")
    assert (list(position.moves()), position.count()) == ([], 0)
    assert str(position.objection(GAME.move("a1-a2@h8"))) == "finished"


def test_stalemate(board):
    position = board(
        """
        . . . . @
        . . Q . .
        k . . . K
        """,
        to_move="b",
    )
    assert position.outcome() == Outcome(None, "stalemate")
    assert (list(position.moves()), position.count()) == ([], 0)


CORNERED = """
    k . . . . . . .
    @ . K . . . . .
    . N . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
"""


def test_a_knight_mates_where_the_trap_takes_the_last_square(board, steps):
    position = board(CORNERED, to_move="b")
    assert position.outcome() == Outcome(Side.FIRST, "mate")
    free = GAME.position(Rules(), str(position).replace("a7", "h1"))
    assert steps(free) == ["a8-a7"]


def test_two_kings_are_a_draw_and_nothing_less_is(board):
    position = board("""
        k . .
        . . @
        . . K
    """)
    assert position.outcome() == Outcome(None, "dead")
    assert (list(position.moves()), position.count()) == ([], 0)
    assert GAME.position(Rules(), str(position).replace("k7", "k1n5")).outcome() is None


def test_fifty_moves_a_side_are_a_draw_unless_the_last_is_mate(board):
    picture = """
        . K . . . . . .
        . . . . . . . R
        k . . . . . . .
    """
    position = board(picture, quiet=99)
    assert after(position, "h2-g2@h8").outcome() == Outcome(None, "fifty")
    assert after(position, "h2-g2@h8").count() == 0
    assert after(position, "h2-h1@h8").outcome() == Outcome(Side.FIRST, "mate")


ROUND = ("g1-f3@a3", "g8-f6@a4", "f3-g1@a5", "f6-g8@a6")


def test_the_third_time_is_a_draw():
    course = Course(GAME, START)
    for text in (*ROUND, *ROUND, ROUND[0]):
        assert course.outcome() is None
        course.play(GAME.move(text))
    assert course.outcome() == Outcome(None, "repetition")
    assert course.position.key().endswith(" b KQkq - a3"), "the start itself had no trap"


def test_with_the_trap_elsewhere_it_is_another_position():
    course = Course(GAME, START)
    for text in (*ROUND, *ROUND, "g1-f3@h3"):
        course.play(GAME.move(text))
    assert course.outcome() is None


def test_en_passant_counts_only_where_it_can_be_played(board):
    position = board("""
        . . . . . k
        . . p . . @
        . . . . . .
        P P . . . K
        . . . . . .
    """)
    assert after(position, "b2-b4@h8").key().split()[3] == "b3"
    assert after(position, "a2-a4@h8").key().split()[3] == "-"
    assert str(after(position, "a2-a4@h8")).split()[3] == "a3"
