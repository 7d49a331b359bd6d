"""What the rules pages say of the boards that they show happens."""

import re

import pytest

from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Notation
from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Rules

# `a1  . . . . +  a5`
ROW = re.compile(r" +([a-i][1-9])  ([.+ ]+)  ([a-i][1-9])")


@pytest.fixture(params=["en", "it"])
def page(request):
    """The notation of a page, and its three boards: empty, example 1 and example 2."""
    boards = [part.after for part in parts(GAME, request.param) if isinstance(part, Diagram)]
    return Notation(request.param), *boards


def test_the_empty_board(page):
    _, empty, _, _ = page
    assert empty == start(Rules())


def test_the_first_example(page):
    notation, _, jump, _ = page
    turns = re.search(
        r"`(\w+,a1)` `(\w+,a2)` `(\w+,a3)` `(\w+,a4)` `(\w+,c1)`", GAME.rules_page(notation.language)
    )
    position = start(Rules())
    for text in turns.groups():
        position = position.play(GAME.read(position, text, notation))
    assert position == jump
    assert [str(move) for move in position.moves()] == ["g5xe3"]


def test_the_second_example(page):
    notation, _, _, islands = page
    text = re.search(r"`(\wa1,d2)`", GAME.rules_page(notation.language))[1]
    move = GAME.read(islands, text, notation)
    assert [(ring, colour.kind) for ring, colour in islands.taken(move)] == [
        ("a1", "black"),
        ("b1", "white"),
        ("d1", "grey"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_other_boards(language):
    """Row by row the rings of each, `+` those that the board of 37 has not."""
    lines = map(ROW.fullmatch, GAME.rules_page(language).splitlines())
    common = Rules().board.bit
    assert [(found[1], found[2].split(), found[3]) for found in lines if found] == [
        (row[0], ["." if ring in common else "+" for ring in row], row[-1])
        for name in ("+11", "+24", "40", "43", "44")
        for row in GAME.presets[name].board.rows
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_that_is_shown_is_that_of_the_first_board(language):
    assert f"`{Rules().rings}`" in GAME.rules_page(language).replace("\n", " ")
