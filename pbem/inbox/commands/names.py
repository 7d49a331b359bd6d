"""Decides which capitalised words are names of people."""

from __future__ import annotations

from games.registry import spoken_names
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
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
