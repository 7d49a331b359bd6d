"""What the rules pages say of the board that they show happens."""

import pytest

from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Outcome, Side
from games.tamsk import GAME
from games.tamsk.rules import Rules, start


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example(played, language):
    first, second = (part.after for part in parts(GAME, language) if isinstance(part, Diagram))
    assert first == start(Rules())
    assert {str(move) for move in second.moves()} == {"d4-c4", "d4-d5"}
    three, two = (
        played(second, moves) for moves in ("d4-c4 b1-a1 c4-d5 e1-d1 d5-c4", "d4-d5 b1-a1 d5-c4 e1-d1")
    )
    assert (three.rings, three.outcome()) == ((1, 2), Outcome(Side.FIRST, "fewer_rings"))
    assert (two.rings, two.outcome()) == ((2, 2), Outcome(Side.SECOND, "last_move"))
    page = GAME.rules_page(language)
    assert all(f"`{move}`" in page for move in ("d4-c4", "d4-d5", "b1-a1", "e1-d1"))
