"""Reads words to an opponent that are put as a request: `tell him I'll be late`."""

from __future__ import annotations

import re
from collections.abc import Collection

from pbem.wording import wording

_WORDS = wording(__package__)
_TELL, _TELL_THEM = _WORDS.either("tell_them", "tell"), _WORDS.either("tell_them", "tell_them")
_POINTING = _WORDS.either("tell_them", "pointing")  # `tell him that was a lovely move`
_WHOM = _WORDS.either("tell_them", "whom")


def told_to_them(text: str, names: Collection[str]) -> str:
    """Replaces each line that asks to tell the opponent something by what is to be told."""
    asks = _asks(names)
    return "\n".join(_told(line, asks) for line in text.split("\n"))


def asks_to_tell(text: str, names: Collection[str]) -> bool:
    """Whether the first line asks to tell the opponent something."""
    return bool(_asks(names).match(text.lstrip()))


def _told(line: str, asks: re.Pattern[str]) -> str:
    found = asks.match(line)
    if not found or not (said := line[found.end() :].strip()):
        return line
    said = said.removesuffix("?").rstrip() if found["asking"] else said
    return said[:1].upper() + said[1:]


def _asks(names: Collection[str]) -> re.Pattern[str]:
    """Compiles the pattern for an opponent with these names."""
    called = "|".join(re.escape(name) for name in names if name) or "(?!)"
    return re.compile(
        rf"\s*+(?P<asking>(?:(?:{_WORDS.repeated('tell_them', 'asking')})[\s,]++)*+)"
        rf"(?:(?:{_TELL})\s+(?:{_WHOM}|(?:ad?\s+)?(?:{called}))|{_TELL_THEM})\b"
        rf"(?:\s*[,:]|\s+(?!(?:{_POINTING})\b)(?:{_WORDS.either('tell_them', 'that')})\b)?\s+",
        re.IGNORECASE,
    )
