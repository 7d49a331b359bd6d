"""The contract of rules pages: every board on them is a position of the game, and can be drawn."""

from io import BytesIO
from itertools import zip_longest

import pytest
from PIL import Image

from games.pages import WIDTH, Diagram, parts
from games.protocol import LANGUAGES, Notation
from games.registry import games


@pytest.fixture(params=games())
def game(request):
    return games()[request.param]


def boards(game, language):
    return [part for part in parts(game, language) if isinstance(part, Diagram)]


def test_a_page_fits_a_letter(game, language):
    for part in parts(game, language):
        text = part.text(Notation(language)) if isinstance(part, Diagram) else part
        assert max(map(len, text.splitlines()), default=0) <= 72, text


def test_every_board_can_be_drawn_and_told(game, language, notation):
    for board in boards(game, language):
        assert Image.open(BytesIO(board.picture(notation))).width == WIDTH
        assert board.words(notation).count(".") > 1


def test_both_languages_show_the_same_boards(game):
    for english, italian in zip_longest(*(boards(game, language) for language in LANGUAGES)):
        assert english == italian


def test_no_fence_is_left_over(game, language):
    assert not [
        part for part in parts(game, language) if not isinstance(part, Diagram) and "```board" in part
    ]
