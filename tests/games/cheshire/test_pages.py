"""The boards that the rules pages print are positions of the game, and what they say of them is true."""

import re
from itertools import pairwise

import pytest

from games.cheshire import GAME
from games.pages import Diagram, parts
from games.protocol import IllegalMove, Notation


@pytest.fixture(params=["en", "it"])
def page(request):
    """The notation of a page, its boards, and the moves that it quotes after each."""
    found = list(parts(GAME, request.param))
    boards = [part.after for part in found if isinstance(part, Diagram)]
    texts = [after for part, after in pairwise(found) if isinstance(part, Diagram)]
    quoted = [re.findall(r"`([A-Z]?[a-h]\d-[a-h]\d)`", text) for text in texts]
    return Notation(request.param), boards, quoted


def test_after_the_first_move(page):
    notation, boards, quoted = page
    played, answer, bishop, queen, step, leap = quoted[2]
    assert (str(boards[0].play(GAME.read(boards[0], played, notation))), played) == (str(boards[2]), "e2-e4")
    position = boards[2].play(GAME.read(boards[2], answer, notation))
    for text in (bishop, queen, leap):
        assert GAME.write(position, GAME.read(position, text, notation), notation) == text
    with pytest.raises(IllegalMove, match="vanished e2"):
        GAME.read(position, step, notation)


def test_check_from_afar(page):
    notation, boards, quoted = page
    shield, hole, flight = quoted[3][:3]
    assert boards[3].checked
    for text in (shield, flight):
        assert GAME.write(boards[3], GAME.read(boards[3], text, notation), notation) == text
    with pytest.raises(IllegalMove, match="vanished e5"):
        GAME.read(boards[3], hole, notation)
