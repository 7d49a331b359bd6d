"""Each error contains what was written, so that a letter can quote it."""

import pytest

from games.protocol import (
    AmbiguousMove,
    GameOver,
    IllegalMove,
    Objection,
    Outcome,
    Side,
    UnknownName,
    UnreadableMove,
)

ERRORS = [
    UnreadableMove("b1-?"),
    AmbiguousMove("b1-?", ("b1-b3", "b1-d3")),
    IllegalMove("b1-?", Objection("off_board", ("b9",))),
    GameOver("b1-?", Outcome(Side.FIRST, "joined")),
    UnknownName("b1-?", "no such game", ("loa", "zertz")),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_is_a_value_error_that_quotes_what_was_written(error):
    assert isinstance(error, ValueError)
    assert error.text == "b1-?"
    assert "'b1-?'" in str(error)


def test_an_ambiguous_move_offers_its_readings():
    assert str(ERRORS[1]) == "'b1-?' may be b1-b3 or b1-d3"


def test_an_illegal_move_names_the_objection():
    assert str(ERRORS[2]) == "'b1-?' is illegal: off_board b9"


def test_a_late_move_tells_how_the_game_ended():
    assert str(ERRORS[3]) == "'b1-?' comes after the end of the game: 1-0 joined"


def test_an_unknown_name_offers_the_nearest():
    assert str(ERRORS[4]) == "'b1-?': no such game; nearest: loa, zertz"
