"""The boards that the rules pages print are positions of the game, and their examples are legal."""

import re

import pytest

from games.protocol import Notation
from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Rules

ROW = re.compile(r" +(([a-i])[1-9])  ([-+.WGBN ]+)  (\2[1-9])")
BOARDS = ("+11", "+24", "40", "43", "44")


def rows_of(language):
    return [found for found in map(ROW.fullmatch, GAME.rules_page(language).splitlines()) if found]


@pytest.fixture(params=["en", "it"])
def page(request, board):
    """The language, and the first three boards of its page: empty, example 1 and example 2."""
    rows = [row[3] for row in rows_of(request.param)]
    letters = {"en": "WGB", "it": "BGN"}[request.param]
    rows = [row.translate(str.maketrans(letters, "WGB")) for row in rows]
    return Notation(request.param), *(board("\n".join(rows[i : i + 7])) for i in (0, 7, 14))


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
    assert (position.rings, position.marbles) == (jump.rings, jump.marbles)
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


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_other_boards(language):
    """Row by row the rings of each, `+` those that the board of 37 has not."""
    drawn = [(row[1], row[3].split(), row[4]) for row in rows_of(language)[21:]]
    common = Rules().board.bit
    assert drawn == [
        (row[0], ["." if ring in common else "+" for ring in row], row[-1])
        for name in BOARDS
        for row in GAME.presets[name].board.rows
    ]


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_map_that_is_shown_is_that_of_the_first_board(language):
    assert f"`{Rules().rings}`" in GAME.rules_page(language).replace("\n", " ")
