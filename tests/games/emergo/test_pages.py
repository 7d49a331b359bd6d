"""What the rules pages say of the boards that they show happens."""

import re

import pytest

from games.emergo import GAME
from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Notation

LETTERS = {"en": "WB", "it": "BN"}


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def page(language):
    return GAME.rules_page(language)


@pytest.fixture
def boards(language):
    first, second = (part.after for part in parts(GAME, language) if isinstance(part, Diagram))
    return first, second


def test_the_first_example(page, boards, language):
    position = boards[0]
    assert [str(move) for move in position.moves()] == re.findall(r"`(e7x\w+)`", page)
    after = position.play(GAME.read(position, "e7xg5xe3", Notation(language)))
    assert {str(move) for move in after.moves()} == set(re.findall(r"`(f4x\w\w|c1x\w\w)`", page))
    left = re.search(r"`([BNW]{2}2)`", page)[1].translate(str.maketrans(LETTERS[language], "WB"))
    assert {"f6:B", "f4:W3", f"e3:{left}"} <= set(str(after).split())


def test_the_second_example(page, boards, language):
    entries, captures = re.search(
        r"((?:`\w\w`\s+){8}).*`e3`.*?(`d2xf4xh6`.*?`i7xg5`, `h4xf6`, `h6xf4`)", page, re.DOTALL
    ).groups()
    position = GAME.start(GAME.presets[""], "")
    for text in re.findall(r"`(\w+)`", entries):
        position = position.play(GAME.read(position, text, Notation(language)))
    assert position == boards[1]
    position = position.play(GAME.move("e3"))
    for text in re.findall(r"`(\w+)`", captures):
        assert [str(move) for move in position.moves()] == [text]
        position = position.play(GAME.move(text))
