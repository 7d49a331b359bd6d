"""Finds the help that words to an opponent may call for: `how long may I think?`."""

from __future__ import annotations

import re
from functools import cache

from pbem.inbox.commands.help import Lines, help_on
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import written
from pbem.wording import wording

_WORDS = wording(__package__)
_RULES = "HELP RULES"
_LONGEST = 300  # characters


def hinted(text: str, language: str) -> Lines | None:
    """Returns the help that the text may call for. None when there is none."""
    if len(text) > _LONGEST:
        return None
    level = " ".join(re.findall(r"[\w?]+", bare(text).replace("?", " ?")))
    verb = next((verb for verb in _WORDS.of(language, "hints") if _patterns(verb).search(level)), "")
    if verb == _RULES:
        return "", [(written(verb, language), str(_WORDS.of(language, "rules_brief")))]
    return help_on(verb, language) if verb else None


@cache
def _patterns(verb: str) -> re.Pattern[str]:
    """Compiles the phrases of a verb; one that ends with `?` counts only in a question."""
    ways = [way for ways in _WORDS.each("hints", verb).values() for way in ways]
    said = (r"\b" + r"\W+".join(map(_word, re.findall(r"[\w*]+", bare(way)))) + _asked(way) for way in ways)
    return re.compile("|".join(said))


def _word(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*")


def _asked(way: str) -> str:
    return r"\b[^?]*\?" if way.endswith("?") else r"\b"
