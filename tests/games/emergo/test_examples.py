"""The examples that PerGioco newsletter 68 prints, replayed."""

import pytest

from games.emergo import GAME
from games.protocol import Notation

ITALIAN = Notation("it")


def written(position):
    return {str(move) for move in position.moves()}


def played(position, text):
    return position.play(GAME.read(position, text, ITALIAN))


@pytest.fixture
def two_men(board):
    """The first diagram: black threatens d6, f6 and f4."""
    return board(
        """
        .   .   .   .   .
          .   .   .   .
        .   .   B   .   .
          .   W   WB  .
        .   .   .   .   .
          .   .   W4  .
        .   .   .   .   .
          B   .   .   .
        .   W   .   .   .
        """,
        "black",
    )


def test_black_must_take_two_and_not_one(two_men):
    assert written(two_men) == {"e7xg5xe3"}
    assert str(two_men.objection(GAME.move("e7xc5"))) == "too_few e7 g5 e3 1 2"


def test_the_second_diagram_is_what_is_left(two_men, board):
    after = played(two_men, "e7xg5xe3")
    assert after == board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   W   B   .
        .   .   .   .   .
          .   .   W3  .
        .   .   BW2 .   .
          B   .   .   .
        .   W   .   .   .
    """)
    assert written(after) == {"f4xd2", "c1xa3"}


def test_black_may_not_turn_back_over_the_column_that_it_has_just_jumped(two_men):
    assert str(two_men.objection(GAME.move("e7xg5xe3xg5"))) == "twice f4"


@pytest.fixture
def round_trip(board):
    """The third diagram: white can go round, in one sense."""
    return board("""
        .   .   .   .   .
          .   .   .   .
        .   .   B2  B   .
          .   W   .   .
        .   .   B   B   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
    """)


def test_clockwise_takes_five_with_e7_twice(round_trip, board):
    (only,) = round_trip.moves()
    assert str(only) == "d6xf8xh6xf4xd6xf8"
    assert round_trip.play(only) == board(
        """
        .   .   .   .   .
          .   .   WB5 .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
        """,
        "black",
    )


def test_anticlockwise_takes_only_four(round_trip):
    assert str(round_trip.objection(GAME.move("d6xf4xh6xf8xd6"))).endswith(" 4 5")
    assert str(round_trip.objection(GAME.move("d6xf4xh6xf8xd6xf8"))) == "twice e7"


OPENING = ["d6", "d2", "c5", "e1", "i7", "i3", "g5", "h4", "e3", "d2xf4xh6", "i7xg5", "h4xf6", "h6xf4"]


def test_the_opening_of_the_fourth_diagram(board):
    position = GAME.start(GAME.presets[""], "")
    for text in OPENING[:8]:
        assert not position.prey
        position = played(position, text)
    assert position == board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   W
          .   W   .   .
        .   W   .   W   .
          .   .   .   B
        .   .   .   .   B
          .   B   .   .
        .   .   B   .   .
    """)
    assert position.count() == 41 - 8, "g5 is under attack: any empty square will do"


def test_from_the_offer_on_all_is_forced(board):
    position = GAME.start(GAME.presets[""], "")
    for ply, text in enumerate(OPENING):
        assert ply < 9 or written(position) == {text}
        position = played(position, text)
    assert position == board(
        """
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   W   BW  .
        .   W   .   .   .
          .   .   W2B .
        .   .   .   .   B
          .   .   .   .
        .   .   B   .   .
        """,
        "black",
    )
