"""Names that a text has in small letters, where somebody is meant: `ask bruno for a game of zertz`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from pbem.wording import fold, wording

_BEFORE = wording(__package__).either("before_person")
_NAMED = re.compile(rf"(?<![^\W_])(?:{_BEFORE})\s+([^\W\d_][\w-]{{1,23}})(?![\w@])", re.IGNORECASE)
_MOST_LINES, _MOST_WORDS = 12, 20


def small_names(lines: Sequence[str]) -> set[str]:
    """The words, folded, that may be such."""
    said = (found[1] for line in lines[:_MOST_LINES] for found in _NAMED.finditer(line) if found[1].islower())
    return {fold(word) for word in islice(said, _MOST_WORDS)}


def with_capitals(lines: Sequence[str], names: Mapping[str, str]) -> Sequence[str]:
    """The lines with the `names`, by how they are folded, as their players write them."""

    def written(found: re.Match[str]) -> str:
        name = names.get(fold(found[1]), found[1]) if found[1].islower() else found[1]
        return found[0][: found.start(1) - found.start()] + name

    return [_NAMED.sub(written, line) for line in lines] if names else lines
