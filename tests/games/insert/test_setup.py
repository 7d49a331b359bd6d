"""Layouts that a club gives by hand, and positions as one line of text."""

import pytest

from games.__main__ import main
from games.insert import GAME
from games.insert.rules import Rules

RULES, CROSSED = GAME.presets[""], GAME.presets["x+"]


def test_rows_may_be_written_apart(layout):
    rows = [layout[at : at + 6] for at in range(0, 36, 6)]
    assert (
        GAME.start(RULES, " ".join(rows)) == GAME.start(RULES, "\n".join(rows)) == GAME.start(RULES, layout)
    )


def test_what_telephones_make_of_hyphens_and_crosses_is_understood(layout):
    assert GAME.start(RULES, layout.replace("-", "–")) == GAME.start(RULES, layout)
    assert GAME.start(CROSSED, "×" + "-" * 35) == GAME.start(CROSSED, "X" + "-" * 35)


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ("", r"Insert needs a layout: 36 marks, row 6 first, of the kinds - \| \\ /"),
        (" ", "Insert needs a layout"),
        ("-" * 35, "'-{35}' has 35 marks, and the board has 36 cells"),
        ("-" * 37, "has 37 marks"),
        ("-" * 35 + "o", "'o' in '-{35}o' is no mark"),
        ("-" * 35 + "+", r"'\+' in '-{35}\+' is no mark: they are - \| \\ /$"),
    ],
)
def test_a_bad_layout_is_refused_with_what_is_wrong(setup, why):
    with pytest.raises(ValueError, match=why):
        GAME.start(RULES, setup)


def test_a_layout_is_asked_for_at_the_command_line(capsys):
    assert main(["perft", "insert", "1"]) == 2
    assert "Insert needs a layout" in capsys.readouterr().err
    assert main(["perft", "insert", "2", "--setup", "-" * 36]) == 0
    assert capsys.readouterr().out == f"{36 * 5}\n"


def test_a_position_carries_its_layout_and_its_last_ring(layout):
    position = GAME.start(RULES, layout).play(GAME.move("d4")).play(GAME.move("a4"))
    assert str(position) == f"{layout} 6/6/x2o2/6/6/6 a4"
    assert str(GAME.start(RULES, layout)) == f"{layout} 6/6/6/6/6/6 -"


@pytest.mark.parametrize(
    ("rings", "why"),
    [
        ("6/6/6/6/6/6 d4", "'d4' is not a ring of the side that played last"),
        ("6/6/3o2/6/6/6 -", "'-' is not a ring"),
        ("6/6/x2o2/6/6/6 d4", "'d4' is not a ring"),
        ("6/6/3x2/6/6/6 d4", "'d4' is not a ring"),
        ("6/6/3o2/6/6/6 d5", "'d5' is not a ring"),
        ("6/6/3o2/6/6 d4", "not 6 rows"),
        ("6/6/3O2/6/6/6 d4", "letters"),
        ("6/6/3o2/6/6/6", "not a layout, a board and the last ring"),
        ("ooooo1/xxxx2/6/6/6/x5 a1", "after the end"),
        ("oxoxox/oxoxox/oxoxox/xoxoxo/xoxoxo/o5 a1", "after the end"),
    ],
)
def test_a_bad_position_is_refused(layout, rings, why):
    with pytest.raises(ValueError, match=why):
        GAME.position(RULES, f"{layout} {rings}")


def test_marks_of_the_variant_are_no_marks_of_the_game(layout):
    crossed = "x" + layout[1:]
    assert GAME.position(CROSSED, f"{crossed} 6/6/6/6/6/6 -")
    with pytest.raises(ValueError, match="'x' in"):
        GAME.position(Rules(), f"{crossed} 6/6/6/6/6/6 -")
