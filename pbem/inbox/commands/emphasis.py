"""Shortens lengthened answers: `siii`, `yesss`, `okkk`."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache

from pbem.inbox.commands.words import CONFIRMING, REFUSING
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_WORD = re.compile(r"[^\W\d_]{3,}")
_DRAWN_OUT = re.compile(
    r"([^\W\d_])\1+\b|([^\W\d_])\2{2,}"
)  # inside a word three letters or more: `good` is not `god`
_TABLES = ("agreeing", "eager", "declining")


def unemphatic(text: str) -> str:
    """Shortens lengthened answers in a text: `okkk ci sto` becomes `ok ci sto`."""
    return _WORD.sub(lambda found: undrawn(found[0], _answers()), text)


def undrawn(word: str, known: Container[str]) -> str:
    """Returns the `known` word that the word lengthens, else the word itself."""
    short = _DRAWN_OUT.sub(lambda found: found[1] or found[2], word)
    return short if fold(word) not in known and fold(short) in known else word


@cache
def _answers() -> frozenset[str]:
    said = frozenset().union(*map(_WORDS.words, _TABLES), CONFIRMING, REFUSING)
    return frozenset(fold(phrase) for phrase in said if " " not in phrase)
