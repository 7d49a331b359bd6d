"""Free wording is read no worse than it was, on lines that nothing was fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from games.protocol import LANGUAGES
from tests.understanding.evaluation import (
    ASKED,
    GAME,
    NEW,
    TALK,
    Figures,
    Line,
    figures,
    fresh,
    is_wanted,
    measured,
    table,
)

# Of fresh lines: right at least, wrong at most, talk asked about at most, in per cent.
FLOORS: Mapping[str, tuple[float, float, float]] = {
    "fresh en asked": (42, 16, 1),
    "fresh en match": (87, 4, 9),
    "fresh en new": (83, 8, 11),
    "fresh it asked": (46, 8, 1),
    "fresh it match": (80, 4, 6),
    "fresh it new": (75, 8, 5),
}


def test_there_are_four_hundred_lines_a_language_and_none_twice() -> None:
    for language in LANGUAGES:
        lines = [line for line in fresh() if line.language == language]
        assert len({line.text for line in lines}) == len(lines) == 400
        assert {line.situation for line in lines} == {ASKED, GAME, NEW}
        assert sum(line.wanted == TALK for line in lines) == 200


@pytest.mark.parametrize(
    ("wanted", "said", "right"),
    [
        ("SET NIGHT", "SET NIGHT 22-7", True),
        ("HELP IF / IFS", "IFS 4", True),
        ("MOVE b8-b6", "MOVE b8-b6", True),
        ("MOVE b8-b6", "MOVE b8-b5", False),
        ("STOP / MY DATA", "LETTERS", True),
        ("CHALLENGE", "OFFER LOA", False),
    ],
)
def test_what_is_wanted(wanted: str, said: str, right: bool) -> None:
    assert is_wanted(wanted, said) is right


def test_figures_are_shares_of_wishes_and_of_talk() -> None:
    wish, talk = Line("en", NEW, "HELP", "help"), Line("en", NEW, TALK, "hello")
    found: Sequence[tuple[Line, str, float]] = [
        (wish, "right", 1.0),
        (wish, "wrong", 2.0),
        (talk, "asked", 3.0),
        (talk, "acts", 30.0),
    ]
    assert figures(found) == Figures(2, 50.0, 50.0, 0.0, 2, 50.0, 0.0, 1, 2.5, 30)


@pytest.mark.prove
def test_fresh_lines_are_read_no_worse_and_no_talk_acts() -> None:
    found = table("fresh", measured(fresh()))
    assert found.keys() == FLOORS.keys()
    for name, (right, wrong, asked) in FLOORS.items():
        assert found[name].right >= right, name
        assert found[name].wrong <= wrong, name
        assert found[name].asked <= asked, name
        assert found[name].acts == 0, name
