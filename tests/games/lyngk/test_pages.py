"""What the rules pages say of the boards that they show happens."""

from typing import Any

import pytest

from games.lyngk import GAME
from games.pages import Diagram, parts
from games.protocol import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples(language):
    page = GAME.rules_page(language)
    _, claim, turn = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    moves = {str(move): move for move in claim.after.moves()}
    assert moves.keys() == {"R,e6-e2", "B,b2-e2"}
    assert all(f"`{move}`" in page for move in moves)
    position: Any = claim.after
    before: Any = turn.before
    assert position.play(moves["R,e6-e2"]).fives("R") == 2
    assert before.way(turn.move) == ("c1", "c4", "f5")
    assert str(before.objection(GAME.move("c4-c1"))) == "colour_twice c4 c1 red"
