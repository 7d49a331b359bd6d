"""What the rules pages say of the board that they show happens."""

import re
from typing import Any

import pytest

from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Side
from games.tzaar import GAME
from games.tzaar.rules import start


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example(language):
    first, second = (part for part in parts(GAME, language) if isinstance(part, Diagram))
    assert first.after == start(GAME.presets[""])
    page = GAME.rules_page(language)
    example = page[page.rindex("```board") :].split("\n## ")[0]
    position: Any = second.after
    moves = {str(move): move for move in position.moves()}
    named = set(re.findall(r"`([a-i]\d[x+,\w]*)`", example))
    assert {text for text in named if "," not in text} == {text for text in moves if "," not in text}
    assert named <= moves.keys()
    assert position.play(moves["d3xc3,e3+c3"]).on("c3") == "Z2"
    lost = position.play(moves["d3xc3,d1+e1"]).outcome()
    assert (lost.winner, lost.reason) == (Side.SECOND, "covered_a")
