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
        GAME.position(Rules(), str(start(Rules(rings="a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8 h5-8"))))
