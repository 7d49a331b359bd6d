"""Reads private notes among the lines to an opponent: `Note to self: watch h1`. Asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pbem.inbox.commands.phrases import called
from pbem.wording import wording

_WORDS = wording(__package__)


def private_note(text: str) -> Iterator[str]:
    """Yields the note as a line of the grammar."""
    for language in _WORDS.languages if not text.endswith("?") else ():
        *ways, bidden = _patterns(language)
        found = next(filter(None, (way.fullmatch(text) for way in (*ways, bidden))), None)
        if found:
            bid = bidden.fullmatch(found["note"])
            yield f"{called('NOTE', language)} {(bid or found)['note']}"


@cache
def _patterns(language: str) -> Sequence[re.Pattern[str]]:
    """Compiles the patterns: a title before the note, one behind it, secrecy, and a request to keep it."""

    def either(key: str) -> str:
        return "|".join(map(re.escape, _WORDS.of(language, "private", key)))

    title = rf"(?:{either('titles')})(?:,?\s+(?:{either('nobody_else')})\s+[\w'’ ]{{2,24}}?)?"
    return (
        re.compile(rf"\W*{title}\s*[:;,.–—-]+\s*(?P<note>.+)", re.IGNORECASE),
        re.compile(rf"(?P<note>.+?)(?:\s*+[,;.(–—]++\s*+|\s++-++\s++){title}\W*", re.IGNORECASE),
        re.compile(
            rf"\W*(?:[^:;.]{{0,30}}[,;]\s+(?:{either('joining')})\s+)?"
            rf"(?:{either('hushing')})\s+[\w'’]{{2,24}}(?:,?\s+(?:{either('but')})\b,?|\s*[:;])\s+(?P<note>.+)",
            re.IGNORECASE,
        ),
        re.compile(rf"\W*(?:{either('bidding')})\b[:,]?\s+(?P<note>.+)", re.IGNORECASE),
    )
