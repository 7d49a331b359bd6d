"""The boards that the rules pages print are positions of the game, and what they say of them is true."""

import re

import pytest

from games.pages import Diagram, parts
from games.protocol import IllegalMove, Notation
from games.trapdoor_chess import GAME


@pytest.fixture(params=["en", "it"])
def page(request):
    """The notation of a page, its two boards, and the moves that it quotes."""
    boards = [part.after for part in parts(GAME, request.param) if isinstance(part, Diagram)]
    text = GAME.rules_page(request.param).partition("\n## ")[2]  # below what is in short
    return Notation(request.param), *boards, re.findall(r"`(\w[^`]*[-x]\w[^`]*)`", text)


def test_the_shield(page, traps):
    notation, shield, _, quoted = page
    assert not shield.checked
    pawn, king, bishop = (GAME.read(shield, text, notation) for text in quoted[:3])
    assert list(map(str, (pawn, king, bishop))) == ["g2-g4@e3", "e1-f1@h8", "c2-e4@e3"]
    assert [GAME.write(shield, move, notation) for move in (pawn, king, bishop)] == quoted[:3]
    assert traps(shield, "g2-g4") == {"e2", "e3", "e5"}
    with pytest.raises(IllegalMove, match="beyond_trap c2 f5 e4"):
        GAME.read(shield, "c2-f5@e3", notation)


def test_check_without_touching_a_piece(page, traps):
    notation, _, before, quoted = page
    after = before.play(GAME.read(before, quoted[3], notation))
    assert after.checked
    knight = GAME.read(after, quoted[4], notation)
    assert str(knight) == "f6-e4"
    assert str(after.play(knight)).endswith("a8")
    black = GAME.position(before.rules, str(before).replace(" w ", " b "))
    assert traps(black, quoted[5]) == {"e2", "e3", "e4", "e6", "e7"}
