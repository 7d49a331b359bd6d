"""What the rules pages say of the boards that they show happens."""

from typing import Any

import pytest

from games.gipf import GAME
from games.gipf.rules import start
from games.pages import Diagram, parts
from games.protocol import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples(language):
    empty, pushing, row = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    assert empty.after == start(GAME.presets[""])
    closed: Any = pushing.after
    assert "".join(map(closed.on, ("b2", "b3", "b4", "b5"))) == "wbwb"
    texts = {str(move) for move in closed.moves()}
    assert "c2" in texts
    assert not any(text.startswith(("b1", "b6")) for text in texts)
    before: Any = row.before
    ways = {str(move) for move in before.moves() if "x" in str(move)}
    assert ways == {"g1-c3;xb3,d3,e3,f2", "g1-c3;xb3,c3,d3,e3,f2"}
    assert "`g1-c3;xb3,c3,d3,e3,f2`" in GAME.rules_page(language)
