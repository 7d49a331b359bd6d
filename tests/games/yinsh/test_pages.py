"""What the rules pages say of the boards that they show happens."""

import re
from typing import Any

import pytest

from games.pages import Diagram, parts
from games.protocol import LANGUAGES
from games.yinsh import GAME
from games.yinsh.rules import start


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples(language):
    empty, free, rows = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    assert empty.after == start(GAME.presets[""])
    page = GAME.rules_page(language)
    position: Any = free.after
    moves = {str(move) for move in position.moves()}
    assert {"e3-e2", "e3-e1", "e3-e4", "e3-e7", "e3-h6"} <= moves
    assert not {"e3-e8", "e3-h7"} & moves
    after: Any = rows.after
    named = re.findall(r"`(x[^`]*)`", page[page.rindex("```board") :].split("\n## ")[0])
    assert named == ["xa2-e6;xc2;d4-d5"]
    assert named[0] in {str(move) for move in after.moves()}
