"""The forms in which a turn of Zèrtz may be written, once it is in lower case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

# Rows that no board of ours lacks: `h4` is read on 37 rings too, to be told that there is no such ring.
# Letters beyond are read where a row has them, for `gr8` is talk and not a grey marble on r8.
LAST_ROW = "i"


@dataclass(frozen=True)
class Grammar:
    """Patterns on one board. A placement has the groups colour, cell, removed and taken; a station
    is a ring of a jump, before it perhaps the colour of the marble taken on the way there."""

    placement: re.Pattern[str]
    jump: re.Pattern[str]
    jump_with_colours: re.Pattern[str]  # gipf.com: `x d1Gd3Wd5`
    station: re.Pattern[str]


@cache
def grammar(last_row: str, colours: str) -> Grammar:
    """For a board whose last row has this letter; with these small letters for colours."""
    ring = f"[a-{max(last_row, LAST_ROW)}][1-9][0-9]?"
    marble = f"[{colours}] ?{ring}"
    return Grammar(
        placement=re.compile(
            rf"(?P<colour>[{colours}]) ?(?P<cell>{ring})"
            rf"(?:[ ,;/-]*(?P<removed>{ring})|[ ,;/]*-)?"  # `Bd4, a1`, or `Bd4,-` and `Bd4`: no removal
            rf"(?:[ ,]*x ?(?P<taken>{marble}(?:[ ,]*{marble})*))?"  # gipf.com: the marbles of an island
        ),
        jump=re.compile(rf"{ring}(?:(?: ?[x:-] ?| ){ring})+"),
        jump_with_colours=re.compile(rf"(?:x ?)?{ring}(?: ?{marble})+"),
        station=re.compile(rf"([{colours}]?) ?({ring})"),
    )
