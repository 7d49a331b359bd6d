"""Finds names of players in small letters: `ask bruno for a game of zertz`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from pbem.wording import fold, wording

_BEFORE = wording(__package__).either("before_person")
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
