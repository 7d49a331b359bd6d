"""What the rules pages say of the boards that they show happens."""

import re

import pytest

from games.bashni import GAME
from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Notation

LETTERS = {"en": "wWbB", "it": "bBnN"}


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def page(language):
    return GAME.rules_page(language)


@pytest.fixture
def boards(language):
    return [part.after for part in parts(GAME, language) if isinstance(part, Diagram)]


def test_the_first_board_is_the_start(boards):
    assert boards[0] == GAME.start(GAME.presets[""], "")


def test_the_first_example(page, boards, language):
    (only,) = boards[1].moves()
    assert str(only) == re.search(r"```\n[^`]*`(c3x\w+)`", page)[1]
    after = boards[1].play(GAME.read(boards[1], str(only), Notation(language)))
    top, below = re.search(rf"`([{LETTERS[language]}])([{LETTERS[language]}])2`", page).groups()
    letters = dict(zip(LETTERS[language], "wWbB", strict=True))
    assert {"d4=Ww", f"e5={2 * letters[below]}{letters[top]}"} <= set(str(after).split())


def test_the_second_example(page, boards):
    (only,) = boards[2].moves()
    assert str(only) == re.search(r"```\n[^`]*`(a1x\w+)`", page)[1]
    without = GAME.position(GAME.presets[""], str(boards[2]).replace("e7=b ", ""))
    assert {str(move) for move in without.moves()} == {f"a1x{square}" for square in ("e5", "f6", "g7", "h8")}
