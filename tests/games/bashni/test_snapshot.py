"""The one-line text of a position."""

import pytest

from games.bashni import GAME
from games.bashni.rules import Rules, start

LINE = "a1=bbW d4=wWbB e5=w h8=wB quiet=7 move=black"


def test_a_position_is_one_readable_line():
    assert str(start(Rules())) == (
        "a1=w c1=w e1=w g1=w b2=w d2=w f2=w h2=w a3=w c3=w e3=w g3=w "
        "b6=b d6=b f6=b h6=b a7=b c7=b e7=b g7=b b8=b d8=b f8=b h8=b quiet=0 move=white"
    )


def test_kings_prisoners_and_quiet_turns_are_in_it_and_the_key_is_without_the_turns():
    position = GAME.position(Rules(), LINE)
    assert str(position) == LINE
    assert position.quiet == 7
    assert position.key() == LINE.replace(" quiet=7", "")


def test_a_side_may_have_its_only_column_on_a1():
    assert str(GAME.position(Rules(), "a1=W h8=b quiet=0 move=black")).startswith("a1=W")


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "quiet=0 move=white",  # who moved last?
        "a1=W quiet=0 move=white",
        "a1=W h8=B quiet=0 move=red",
        "a1=W h8=B quiet=31 move=white",
        "a1=W h8=B quiet=01 move=white",
        "a1=W h8=B move=white",
        "a1=W h8=B quiet=0 move=white ",
        "a1=W  h8=B quiet=0 move=white",
        "h8=B a1=W quiet=0 move=white",  # not in order
        "a1=W a1=W h8=B quiet=0 move=white",
        "b1=W h8=B quiet=0 move=white",  # a light square
        "a1=W h8=w quiet=0 move=white",  # a man on its last row
        "a1=wb h8=B quiet=0 move=white",
        "a1=wbw h8=B quiet=0 move=white",  # no capture makes such a column
        "a1=W2 h8=B quiet=0 move=white",
        f"a1={'w' * 13} h8=B quiet=0 move=white",
        "a1=" + "w" * 10_000,
    ],
)
def test_what_is_no_position_is_refused(wrong):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), wrong)


def test_there_is_no_set_up():
    with pytest.raises(ValueError, match="no set-up"):
        start(Rules(), "random")
