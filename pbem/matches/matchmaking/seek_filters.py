"""Whom an open offer is for: how reliable they have to be, and which language they have to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pbem.players.languages import LANGUAGES, all_names
from pbem.wording import wording


@dataclass(frozen=True)
class Conditions:
    """`on_time` is the least share of turns in time, in per cent, `language` a code; None and "" ask for nothing."""

    on_time: int | None = None
    language: str = ""

    def admit(self, *, language: str, on_time: int | None) -> bool:
        """Whether a player who writes `language` may take it. Newcomers, whose `on_time` is None, are not judged."""
        reliable = self.on_time is None or on_time is None or on_time >= self.on_time
        return reliable and self.language in ("", language)


_WORDS = wording("pbem.matches")
_ON_TIME = _WORDS.either("conditions", "on_time").replace(r"\-", "-?")
_LANGUAGE = _WORDS.either("conditions", "language")


def _writes(code: str) -> tuple[str, Callable[[Conditions, str], Conditions]]:
    names = "|".join(map(re.escape, all_names(code)))
    return rf"(?:{_LANGUAGE})=(?:{names})", lambda asked, value: replace(asked, language=code)


# How each condition is written, in every language, without case.
WORDS: tuple[tuple[str, Callable[[Conditions, str], Conditions]], ...] = (
    (rf"(?:{_ON_TIME})=(\d{{1,2}}|100)%?", lambda asked, value: replace(asked, on_time=int(value))),
    *map(_writes, LANGUAGES),
)


def read_conditions(words: Iterable[str]) -> tuple[Conditions, list[str]]:
    """The conditions, and the words that are none."""
    asked, rest = Conditions(), []
    for word in words:
        for pattern, put in WORDS:
            if said := re.fullmatch(pattern, word, re.IGNORECASE):
                asked = put(asked, said[1] if said.re.groups else "")
                break
        else:
            rest.append(word)
    return asked, rest
