"""What the rules pages say of the boards that they show happens."""

import re
from typing import Any

import pytest

from games.dvonn import GAME
from games.pages import Diagram, parts
from games.protocol import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_example_names_all_moves(language):
    first, _ = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    page = GAME.rules_page(language)
    example = page[page.index("```board") :].split("\n## ")[0]
    assert {str(move) for move in first.after.moves()} == set(re.findall(r"`(\w\d-\w\d)`", example))
    assert str(first.after.objection(GAME.move("e3-e4"))) == "enclosed e3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_example_cuts_off_d3(language):
    _, second = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    before: Any = second.before
    after: Any = second.after
    assert before.stack("d3") == "bb"
    assert set(after.stood()) == {"a2", "a3", "b3"}
