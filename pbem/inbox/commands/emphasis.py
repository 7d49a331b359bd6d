"""Letters that people say longer than they are: `siii`, `yesss`, `okkk`. Only of the words with which they answer."""

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
)  # at the end; inside three and more: good is not god
_TABLES = ("agreeing", "eager", "declining")


def unemphatic(text: str) -> str:
    """`okkk ci sto` is `ok ci sto`; what is no such word stays as it is."""
    return _WORD.sub(lambda found: undrawn(found[0], _answers()), text)


def undrawn(word: str, known: Container[str]) -> str:
    """As short as the `known` word that it drags out; else itself."""
    short = _DRAWN_OUT.sub(lambda found: found[1] or found[2], word)
    return short if fold(word) not in known and fold(short) in known else word


@cache
def _answers() -> frozenset[str]:
    said = frozenset().union(*map(_WORDS.words, _TABLES), CONFIRMING, REFUSING)
    return frozenset(fold(phrase) for phrase in said if " " not in phrase)
