"""The examples that the sources print, replayed."""

import pytest

from games.protocol import Notation, Side
from games.zertz import GAME
from games.zertz.board import Colour
from games.zertz.variants import PRESETS

ITALIAN = Notation("it")


@pytest.mark.parametrize("rules", [PRESETS[""], PRESETS["blitz"]], ids=["24", "21"])
def test_the_opening_of_newsletter_56(board, rules):
    position, counts = GAME.start(rules, ""), []
    for text in ("Bd4, a1", "Nd6, a2", "Nd2, a3", "Nf4, a4", "Bg5, c1"):
        assert not position.must_jump
        counts.append(position.count())
        position = position.play(GAME.read(position, text, ITALIAN))
    assert counts == [1944, 1734, 1632, 1530, 1428]
    assert position == board(
        """
            - - - -
           . . . . .
          - . . . . .
         . B . W . B .
          . . . . . .
           . B . . .
            . W . .
        """,
        rules=rules,
        to_move=Side.SECOND,
    )
    (only,) = position.moves()
    assert str(only) == "g5xe3"
    assert position.taken(only) == (("f4", Colour.BLACK),)


def test_newsletter_56_takes_three_marbles_with_a1_and_d2(board):
    position = board("""
            . - - -
           W - . . .
          - - . . . .
         G . . . . . .
          - . . . . .
           . . B . .
            . . . .
    """)
    move = GAME.move("Ba1,d2")
    assert position.taken(move) == (("a1", Colour.BLACK), ("b1", Colour.WHITE), ("d1", Colour.GREY))
    assert position.play(move) == board(
        """
            - - - -
           - - . . .
          - - . . . .
         - - . . . . .
          - . . . . .
           . . B . .
            . . . .
        """,
        first=(1, 1, 1),
        to_move=Side.SECOND,
    )


@pytest.fixture
def figure(board):
    """The figure of Fogliaccio 6."""
    return board("""
            - . . -
           . . . . B
          - . G W . .
         - . . . . . -
          - . . W . -
           . G . . .
            . . - -
    """)


def test_fogliaccio_6_lets_the_left_marbles_jump_each_other(figure):
    assert {str(move) for move in figure.moves()} == {"c3xc5", "c4xc2"}


def test_after_the_first_of_them_black_takes_one_white_and_two_grey(figure):
    position = figure.play(GAME.move("c3xc5"))
    (reply,) = position.moves()
    assert str(reply) == "b5xd5xf5xf3"
    assert [colour.kind for _, colour in position.taken(reply)] == ["grey", "white", "grey"]
    assert position.play(reply).captives == ((1, 0, 0), (1, 2, 0))
