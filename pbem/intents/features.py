"""What of a text the classifier sees: its words, the pairs of them, and pieces of words, which forgive slips."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pbem.wording import fold

_ADDRESS = re.compile(r"[^\s@]++@\S+")
_CELL = re.compile(r"\b[a-z]\s?\d\d?\b")  # b8, or `b8` of b8-b6
_WORD = re.compile(r"[^\W\d_]+|\d+|[?!@+]")
_PIECE = 4  # letters, of a word between its < and >


def features(text: str) -> Iterator[str]:
    """Each as often as the text has it. All numbers are one, and so are all addresses and all cells."""
    words = words_of(text)
    yield from words
    yield from map("_".join, pairwise(("^", *words, "$")))
    for word in words:
        framed = f"<{word}>"
        yield from (f"~{framed[at : at + _PIECE]}" for at in range(len(framed) - _PIECE + 1))


def words_of(text: str) -> list[str]:
    """In small letters, with one sign for all numbers, one for all addresses and one for all cells."""
    level = _CELL.sub(" + ", _ADDRESS.sub(" @ ", fold(text)))
    return ["#" if word.isdigit() else word for word in _WORD.findall(level)]
