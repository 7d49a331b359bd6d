"""The boards that the rules pages print are positions of the game, and what they say of them is true."""

import re

import pytest

from games.errors import IllegalMove
from games.protocol import Notation
from games.trapdoor_chess import GAME

ROW = re.compile(r" {4}[1-8]  ([.@A-Za-z ]+)")
ENGLISH = str.maketrans("RDTACrdtac", "KQRBNkqrbn")


@pytest.fixture(params=["en", "it"])
def page(request, board):
    """The notation of a page, its two boards, and the moves that it quotes."""
    text = GAME.rules_page(request.param)
    rows = [found[1] for found in map(ROW.fullmatch, text.splitlines()) if found]
    if request.param == "it":
        rows = [row.translate(ENGLISH) for row in rows]
    assert len(rows) == 16
    boards = (board("\n".join(rows[:8])), board("\n".join(rows[8:])))
    return Notation(request.param), *boards, re.findall(r"`(\w[^`]*[-x]\w[^`]*)`", text)


def test_pages_fit_a_letter(page):
    assert max(map(len, GAME.rules_page(page[0].language).splitlines())) <= 72


def test_the_shield(page, traps):
    notation, shield, _, quoted = page
    assert not shield.checked
    pawn, king, bishop = (GAME.read(shield, text, notation) for text in quoted[:3])
    assert list(map(str, (pawn, king, bishop))) == ["g2-g4@e3", "e1-f1@h8", "c2-e4@e3"]
    assert [GAME.write(shield, move, notation) for move in (pawn, king, bishop)] == quoted[:3]
    assert traps(shield, "g2-g4") == {"e2", "e3", "e5"}
    with pytest.raises(IllegalMove, match="beyond_trap c2 f5 e4"):
        GAME.read(shield, "c2-f5@e3", notation)


def test_check_without_touching_a_piece(page, board, traps):
    notation, _, before, quoted = page
    after = before.play(GAME.read(before, quoted[3], notation))
    assert after.checked
    knight = GAME.read(after, quoted[4], notation)
    assert str(knight) == "f6-e4"
    assert str(after.play(knight)).endswith("a8")
    black = GAME.position(before.rules, str(before).replace(" w ", " b "))
    assert traps(black, quoted[5]) == {"e2", "e3", "e4", "e6", "e7"}
