"""Tests the rules on small pictures: a line per row, the last row on top, `O` black, `X` white, `.` empty."""

import re

from games.protocol import Objection, Outcome, Side
from games.scaffold.newgame import GAME
from games.scaffold.newgame.rules import Position, Rules


def board(picture: str, to_move: str = "o") -> Position:
    """Returns the position of a picture, which may be smaller than the game's board."""
    rows = [line.replace(" ", "").lower() for line in picture.split("\n") if line.strip()]
    text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
    return GAME.position(Rules(size=len(rows)), f"{text} {to_move}")


def test_three_in_a_row_win() -> None:
    position = board("""
        O O .
        X X .
        . . .
    """)
    assert position.outcome() is None
    assert position.play(GAME.move("c3")).outcome() == Outcome(Side.FIRST, "three")


def test_a_full_board_is_a_draw() -> None:
    position = board("""
        O O X
        X X O
        O X .
    """)
    assert position.play(GAME.move("c1")).outcome() == Outcome(None, "full")


def test_a_stone_goes_on_an_empty_cell() -> None:
    position = board(
        """
        . . .
        . O .
        . . .
        """,
        to_move="x",
    )
    assert position.objection(GAME.move("b2")) == Objection("occupied", ("b2",))
    assert position.objection(GAME.move("c2")) is None
