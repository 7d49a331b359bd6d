"""What the rules pages say of the boards that they show happens."""

from typing import Any

import pytest

from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Outcome, Side
from games.punct import GAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples(language):
    _, bridge, chain = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    after: Any = bridge.after
    assert [after.top(name).level for name in ("g3", "g4", "g5", "f2")] == [1, 1, 1, 0]
    assert str(after.objection(GAME.move("g5-d5/c4/c5"))) == "not_yours g5"
    assert not any(move.origin for move in after.moves())
    joined: Any = chain.after
    assert joined.outcome() == Outcome(Side.FIRST, "joined")
    assert joined.top("e5").level == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_moves_that_it_names_can_be_written(language):
    position = GAME.start(GAME.presets[""], "")
    assert position.objection(GAME.move("f3/f4/g5")) is None
    assert all(text in GAME.rules_page(language) for text in ("`f3/f4/g5`", "`a5-h5/g4/g5`", "`T g5`"))
    assert GAME.move("f3-k3/k4/l5").origin == "f3"
