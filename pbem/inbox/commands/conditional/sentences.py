"""Reads conditional moves in a sentence: `if Bruno plays a2-c2 I'll answer b1-b3`. Always asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pbem.inbox.commands.phrases import called
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_NEAR = 2  # words before a move


class Condition(NamedTuple):
    """Where a plan begins; `whatever`: it is for any reply."""

    at: int
    whatever: bool


def condition_in(text: str, language: str) -> Condition | None:
    """Returns the first condition; not `should` of `you should play b1-b3`. None when there is none."""
    somebody = _words(language, "they") | _words(language, "said_to")
    for key in ("whatever", "if"):
        for found in _pattern(language, key).finditer(text):
            before = text[: found.start()].split()[-1:]
            if not before or fold(before[0]) not in somebody:
                return Condition(found.start(), key == "whatever")
    return None


def stands_after(text: str, at: int, language: str) -> bool:
    """Whether the move at this place comes first: `after my b1-b3`."""
    return not _words(language, "after").isdisjoint(map(fold, text[:at].split()[-_NEAR:]))


def plan_line(moves: Sequence[str], language: str) -> str:
    """Writes IF for a reply and its answer, or NEXT for a move alone."""
    if len(moves) == 1:
        return f"{called('NEXT', language)} {moves[0]}"
    then = str(_WORDS.of(language, "then")[0]).upper()
    return f"{called('IF', language)} {moves[0]} {then} {moves[1]}"


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(map(fold, _WORDS.of(language, "planned", key)))


@cache
def _pattern(language: str, key: str) -> re.Pattern[str]:
    either = "|".join(map(re.escape, _WORDS.of(language, "planned", key)))
    return re.compile(rf"\W*\b(?:{either})\b", re.IGNORECASE)
