"""The one-line text of a position."""

import pytest

from games.emergo import GAME
from games.emergo.rules import Rules, start

LINE = "e1:B a3:W5B2 c5:W2B hands=5,8 move=white"


def test_a_position_is_one_readable_line():
    assert str(start(Rules())) == "hands=12,12 move=white"
    assert str(start(Rules()).play(GAME.move("d6"))) == "d6:W hands=11,12 move=black"


def test_squares_stand_as_the_board_counts_them():
    position = GAME.position(Rules(), LINE)
    assert str(position) == LINE
    assert position.hands == (5, 8)
    assert position.columns.hex().strip("0").startswith("1")


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "hands=12,12",
        "hands=12,12 move=red",
        "hands=12,13 move=white",
        "hands=11,12 move=white",
        "hands=12,12 move=white ",
        "\nhands=12,12 move=white",
        "hands=012,12 move=white",
        "a1:W hands=12,12 move=white",
        "b1:W hands=11,12 move=white",  # a light square
        "c1:W a1:W hands=10,12 move=white",  # not in order
        "a1:W a1:W hands=10,12 move=white",
        "a1:W1 hands=11,12 move=white",
        "a1:WW hands=10,12 move=white",
        "a1:W0B hands=12,11 move=white",
        "a1:W17 hands=0,12 move=white",
        "a1:w hands=11,12 move=white",
        "a1:WB hands=11,11  move=white",
        "a1:W12B12 hands=0,0 move=white",  # who moved last?
        "a1:" + "W" * 10_000,
    ],
)
def test_what_is_no_position_is_refused(wrong):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), wrong)
