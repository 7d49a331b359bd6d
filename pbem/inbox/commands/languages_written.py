"""Detects the language of a text by the commonest words of each language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from pbem.wording import fold, wording

_WORDS = wording(__package__)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MOST_WORDS, _FEWEST = 200, 3
_COMMON = {language: frozenset(map(fold, words)) for language, words in _WORDS.each("commonest").items()}


def written_in(lines: Iterable[str]) -> str:
    """Returns the language with at least three words, twice as many as any other; else ""."""
    words = [
        fold(word.replace("’", "'")) for line in lines for word in islice(_WORD.findall(line), _MOST_WORDS)
    ]
    counts = {language: sum(word in known for word in words) for language, known in _COMMON.items()}
    best, *others = sorted(counts, key=lambda language: -counts[language])
    enough = counts[best] >= _FEWEST and all(counts[best] >= 2 * counts[other] for other in others)
    return best if enough else ""
