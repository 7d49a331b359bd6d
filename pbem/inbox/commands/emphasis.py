"""Letters that people say longer than they are: `siii`, `yesss`, `okkk`. Only of the words with which they answer."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby

from pbem.inbox.commands.words import CONFIRMING, REFUSING
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_WORD = re.compile(r"[^\W\d_]{3,}")
_TABLES = ("agreeing", "eager", "declining")


def unemphatic(text: str) -> str:
    """`okkk ci sto` is `ok ci sto`; what is no such word stays as it is."""
    return _WORD.sub(lambda found: _short(found[0]), text)


def _short(word: str) -> str:
    short = "".join(letter for letter, _ in groupby(word))
    drawn_out = len(short) < len(word) and fold(word) not in _answers()
    return short if drawn_out and len(short) > 1 and fold(short) in _answers() else word


@cache
def _answers() -> frozenset[str]:
    said = frozenset().union(*map(_WORDS.words, _TABLES), CONFIRMING, REFUSING)
    return frozenset(fold(phrase) for phrase in said if " " not in phrase)
