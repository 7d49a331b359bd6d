"""The one-line text of a position."""

import pytest

from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Rules

LINE = "-.../...../....../...W.../....../...../.... pool=5,8,10 first=0,0,0 second=0,0,0 move=second"


def test_a_position_is_one_readable_line():
    position = start(Rules()).play(GAME.move("Wd4,a1"))
    assert str(position) == LINE
    assert GAME.position(Rules(), LINE) == position


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("pool=5", "pool=6"),  # a seventh white marble
        ("first=0,0,0", "first=0,0"),
        ("first=0,0,0", "first=0,0,,"),
        ("-.../", "-..../"),
        ("-.../", ""),
        ("W", "N"),
        ("=second", "=third"),
        ("pool", "\npool"),
    ],
)
def test_what_is_no_position_is_refused(right, wrong):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), LINE.replace(right, wrong, 1))


def test_the_line_of_another_board_is_refused():
    with pytest.raises(ValueError, match="a1-4"):
        GAME.position(Rules(), str(start(GAME.presets["+11"])))


def test_a_board_of_its_own_stands_in_the_line():
    """Two of the same shape, so that the rows alone do not tell which it is."""
    for rings in ("a1-3 b1-4 c2-4", "a1-3 b2-5 c3-5"):
        position = start(Rules(), rings).play(GAME.move("Ga2,a1"))
        line = str(position)
        assert line == (
            "-G./..../... pool=6,7,10 first=0,0,0 second=0,0,0 move=second rings=" + rings.replace(" ", ",")
        )
        assert GAME.position(Rules(), line) == position


@pytest.mark.parametrize("rings", ["", "a1-3", "a1-3,b1-4", "a1-3,b1-4,c7-9", "a1-3 b1-4 c2-4", "a-,b-,c-"])
def test_a_board_that_is_none_is_refused(rings):
    line = "-G./..../... pool=6,7,10 first=0,0,0 second=0,0,0 move=second rings=" + rings
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), line)
