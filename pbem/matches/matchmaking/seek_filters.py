"""Whom an open offer is for: how reliable and how strong they have to be, and which language they have to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pbem.players.languages import LANGUAGES, all_names
from pbem.wording import wording


@dataclass(frozen=True)
class Conditions:
    """`on_time` is the least share of turns in time, in per cent, `language` a code, `least` and `most` a rating; None
    and "" ask for nothing."""

    on_time: int | None = None
    language: str = ""
    least: int | None = None
    most: int | None = None

    def admit(self, *, language: str, on_time: int | None) -> bool:
        """Whether a player who writes `language` may take it. Newcomers, whose `on_time` is None, are not judged."""
        reliable = self.on_time is None or on_time is None or on_time >= self.on_time
        return reliable and self.language in ("", language)

    @property
    def has_band(self) -> bool:
        """Whether it asks how strong they are."""
        return self.least is not None or self.most is not None

    def holds(self, rating: float) -> bool:
        """Whether such a player, as strong as that in figures, is within it."""
        figure = round(rating)
        return (self.least is None or self.least <= figure) and (self.most is None or figure <= self.most)


_WORDS = wording("pbem.matches")
_ON_TIME = _WORDS.either("conditions", "on_time").replace(r"\-", "-?")
_LANGUAGE = _WORDS.either("conditions", "language")
_RATING = _WORDS.either("conditions", "rating")


def _writes(code: str) -> tuple[str, Callable[[Conditions, str], Conditions]]:
    names = "|".join(map(re.escape, all_names(code)))
    return rf"(?:{_LANGUAGE})=(?:{names})", lambda asked, value: replace(asked, language=code)


# How each condition is written, in every language, without case.
WORDS: tuple[tuple[str, Callable[[Conditions, str], Conditions]], ...] = (
    (rf"(?:{_ON_TIME})=(\d{{1,2}}|100)%?", lambda asked, value: replace(asked, on_time=int(value))),
    *map(_writes, LANGUAGES),
)
_BAND = re.compile(rf"(?:{_RATING})=(\d{{1,4}})?(?:-(\d{{1,4}})|[+-])?", re.IGNORECASE)


def read_conditions(words: Iterable[str]) -> tuple[Conditions, list[str]]:
    """The conditions, and the words that are none."""
    asked, rest = Conditions(), []
    for word in words:
        if band := _band(word):
            asked = replace(asked, least=band[0], most=band[1])
            continue
        for pattern, put in WORDS:
            if said := re.fullmatch(pattern, word, re.IGNORECASE):
                asked = put(asked, said[1] if said.re.groups else "")
                break
        else:
            rest.append(word)
    return asked, rest


def _band(word: str) -> tuple[int | None, int | None] | None:
    """`rating=1400-1800`, or with one of the two: `rating=1400+`, `rating=-1800`; None if it is no band."""
    said = _BAND.fullmatch(word)
    if said is None or (said[1] is None and said[2] is None):
        return None
    least, most = (int(figure) if figure else None for figure in said.groups())
    if least is not None and most is not None and most < least:
        least, most = most, least
    return least, most
