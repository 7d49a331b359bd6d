"""The layout and the boards that the rules pages print are those of the game, and their examples happen."""

import re

import pytest

from games.insert import GAME
from games.insert.rules import Move, Rules
from games.protocol import LANGUAGES, Notation

ROW = re.compile(r"    [1-6]   ((?:[-|/\\.OX] ?){6})")


@pytest.fixture(params=LANGUAGES)
def notation(request):
    return Notation(request.param)


@pytest.fixture
def page(notation):
    return GAME.rules_page(notation.language)


@pytest.fixture
def boards(page):
    rows = [found[1] for found in map(ROW.fullmatch, page.splitlines()) if found]
    assert len(rows) == 12
    return rows[:6], rows[6:]


def test_no_line_is_wider_than_a_letter(page):
    assert max(map(len, page.splitlines())) <= 72


def test_the_layout_that_a_club_may_give(page, boards, layout):
    written = re.search(r"^    (\S{6}(?: \S{6}){5})$", page, re.MULTILINE)[1]
    assert GAME.start(Rules(), written) == GAME.start(Rules(), " ".join(boards[0]))
    assert GAME.start(Rules(), written).layout.marks == layout


def test_the_first_example(page, boards, notation):
    position = GAME.start(Rules(), " ".join(boards[0]))
    for text in re.search(r"`(d4)`.*?`(a4)`", page, re.DOTALL).groups():
        position = position.play(GAME.read(position, text, notation))
    assert sorted(map(str, position.moves())) == ["b3", "c2", "d1"]


def test_the_second_example(page, boards, notation, board):
    position = board("\n".join(boards[1]), last="b4")
    written = GAME.write(position, Move("c4"), notation)
    assert f"`{written}`" in page
    assert position.play(GAME.read(position, written, notation)).rings[0] == 0


def test_the_page_counts_the_cells_with_two_lines():
    marks = "".join("".join(tile) for tile in GAME.presets["x+"].tiles)
    assert sum(mark in "+x" for mark in marks) == 4
