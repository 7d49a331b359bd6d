"""Decides which capitalised words are names of people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from games.registry import spoken_names
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording("pbem.inbox.commands")
NOBODY = _WORDS.words("nobody")  # "I challenge you" is said to the opponent
KIN = _WORDS.words("kin")  # `ok dad`
_NO_NAMES = frozenset(
    fold(word)
    for said in (*spoken_names(), *_WORDS.words("dates", "weekdays"), *_WORDS.words("no_names"))
    for word in said.split()
) | frozenset(
    fold(word) for months in _WORDS.each("dates", "months").values() for month in months for word in month
)


def is_name(word: str) -> bool:
    said = fold(word)
    return said not in NOBODY and said not in VERBS_OF and said not in _NO_NAMES


# Finds names of players in small letters: `ask bruno for a game of zertz`.

_BEFORE = wording("pbem.inbox.commands").either("before_person")
_NAMED = re.compile(rf"(?<![^\W_])(?:{_BEFORE})\s+([^\W\d_][\w-]{{1,23}})(?![\w@])", re.IGNORECASE)
_MOST_LINES, _MOST_WORDS = 12, 20


def small_names(lines: Sequence[str]) -> set[str]:
    """Returns the folded words that may be names."""
    said = (found[1] for line in lines[:_MOST_LINES] for found in _NAMED.finditer(line) if found[1].islower())
    return {fold(word) for word in islice(said, _MOST_WORDS)}


def with_capitals(lines: Sequence[str], names: Mapping[str, str]) -> Sequence[str]:
    """Writes the names as their players do; `names` maps folded names to them."""

    def written(found: re.Match[str]) -> str:
        name = names.get(fold(found[1]), found[1]) if found[1].islower() else found[1]
        return found[0][: found.start(1) - found.start()] + name

    return [_NAMED.sub(written, line) for line in lines] if names else lines
