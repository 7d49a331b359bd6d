"""Clocks as people spell them."""

import pytest

from pbem.matches.terms import NONE, read_terms
from pbem.refusals import Refused

SPELLED = {
    "7d/move": ("7 days per move", "7 d / move", "a week per move", "with 7 days a move", "7 giorni a mossa",
                "7 gg/mossa", "una settimana per mossa", "con sette giorni per ogni mossa", "seven days for each move",
                "7 Giorni"),
    "1h/move": ("an hour per move", "un'ora a mossa", "un’ora per mossa"),
    "36h/move": ("1.5 days per move", "1,5 giorni a mossa", "36 hours"),
    "10d+1d<=10d": ("10 days + 1 day", "10 days and 1 day per move", "10 giorni più un giorno a mossa", "10d + 1d",
                    "ten days plus a day more per move", "10 giorni e 1 giorno per mossa"),
    "10d+36h<=12d": ("10 days + 36 hours up to 12 days", "10d + 36h <= 12d", "10 giorni + 36 ore al massimo 12 giorni"),
    "10d+36h<=10d": ("league", "League clock", "clock: league", "with the clock league", "lega", "campionato",
                     "orologio lega"),
    "60d+0d<=60d": ("60 days in total", "60 giorni in tutto", "total=60d"),
    "7d/move total=60d": ("7 days per move 60 days in total", "total=60d 7d/move"),
}  # fmt: skip


def test_a_clock_is_read_as_people_spell_it() -> None:
    for meant, spelled in SPELLED.items():
        for text in spelled:
            for beside in ("", "scrambled ", "pair "):
                terms, rest = read_terms(f"{beside}{text}".split())
                assert (str(terms.control), rest) == (meant, ["scrambled"] if "scr" in beside else []), text


@pytest.mark.parametrize(
    "text",
    [
        "no clock",
        "No Clock",
        "no-clock",
        "without a clock",
        "senza orologio",
        "3d/move no clock",
        "unlimited",
    ],
)
def test_no_clock_is_asked_for(text: str) -> None:
    terms, rest = read_terms(text.split())
    assert (terms.control, terms.clocked.control, rest) == (None, None, [])


def test_what_says_nothing_of_a_clock_has_that_of_the_house() -> None:
    assert NONE.control is None
    assert str(NONE.clocked.control) == "10d+36h<=10d"
    for text in ("forced", "no takebacks", "senza assenze"):
        terms, rest = read_terms(text.split())
        assert rest == []
        assert (terms.clock, str(terms.clocked.control)) == ("", "10d+36h<=10d")


@pytest.mark.parametrize("text", ["7 moves", "most=7 days", "7 days=2", "7 daisies", "6x6", "goals=short"])
def test_what_is_no_clock_is_left_to_the_game(text: str) -> None:
    assert read_terms(text.split()) == (NONE, text.split())


@pytest.mark.parametrize("text", ["20 days + 1 day up to 10 days", "0 days", "zero giorni e 0 giorni"])
def test_a_clock_that_cannot_run_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_terms(text.split())
