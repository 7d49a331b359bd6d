"""The canonical form of a move, and back."""

import pytest

from games.zertz.board import Colour, Jump, Placement, move

MOVES = {
    "Wd4,a1": Placement(Colour.WHITE, "d4", "a1"),
    "Gg7,e2": Placement(Colour.GREY, "g7", "e2"),
    "Bd5": Placement(Colour.BLACK, "d5", None),
    "g5xe3": Jump(("g5", "e3")),
    "b5xd5xf5xf3": Jump(("b5", "d5", "f5", "f3")),
    "Wz99,x10": Placement(Colour.WHITE, "z99", "x10"),
    "x8xx10xz10": Jump(("x8", "x10", "z10")),
}


@pytest.mark.parametrize(("text", "value"), MOVES.items())
def test_the_canonical_form_there_and_back(text, value):
    assert str(value) == text
    assert move(text) == value


@pytest.mark.parametrize(
    "text", ["", "d4", "Nd4,a1", "wd4,a1", "Wd4, a1", "Wd4,", "Wd4,-", "g5-e3", "g5xe3x", "Wd4,a1\n"]
)
def test_nothing_else_is_canonical(text):
    with pytest.raises(ValueError, match="canonical"):
        move(text)
