"""Reads words to the organiser in a reply about a match: `Dear organiser, my opponent...`. Asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pbem.inbox.commands.phrases import called
from pbem.wording import wording

_WORDS = wording(__package__)


def put_to_organiser(text: str) -> Iterator[str]:
    """Yields the report as a line of the grammar."""
    yield from (f"{called('REPORT', each)} {text}" for each in _WORDS.languages if _pattern(each).match(text))


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Compiles the pattern of a line that addresses the organiser, or asks to tell them."""

    def either(key: str) -> str:
        return "|".join(map(re.escape, _WORDS.of(language, "organiser", key)))

    return re.compile(
        rf"\W*(?:(?:(?:{either('hailing')})\s+)?(?:{either('called')})\s*[,:!]|"
        rf"(?:{either('please')}\s+)?(?:{either('telling')})\s+(?:{either('called')})\b)\s*\S",
        re.IGNORECASE,
    )
