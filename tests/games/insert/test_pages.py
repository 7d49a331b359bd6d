"""What the rules pages say of the layout and the boards that they show happens."""

import re

import pytest

from games.insert import GAME
from games.insert.rules import Move, Rules
from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Notation


@pytest.fixture(params=LANGUAGES)
def notation(request):
    return Notation(request.param)


@pytest.fixture
def page(notation):
    return GAME.rules_page(notation.language)


@pytest.fixture
def boards(notation):
    first, second = (part.after for part in parts(GAME, notation.language) if isinstance(part, Diagram))
    return first, second


def test_the_layout_that_a_player_may_give(page, boards, layout):
    written = re.search(r"^    .* insert (?:setup|disposizione)=(\S{36})$", page, re.MULTILINE)[1]
    assert GAME.start(Rules(), written) == boards[0]
    assert boards[0].layout.marks == layout


def test_the_first_example(page, boards, notation):
    position = boards[0]
    for text in re.search(r"`(d4)`.*?`(a4)`", page, re.DOTALL).groups():
        position = position.play(GAME.read(position, text, notation))
    assert sorted(map(str, position.moves())) == ["b3", "c2", "d1"]


def test_the_second_example(page, boards, notation):
    position = boards[1]
    written = GAME.write(position, Move("c4"), notation)
    assert f"`{written}`" in page
    assert position.play(GAME.read(position, written, notation)).rings[0] == 0


def test_the_page_counts_the_cells_with_two_lines():
    marks = "".join("".join(tile) for tile in GAME.presets["x+"].tiles)
    assert sum(mark in "+x" for mark in marks) == 4
