"""Expands short spellings: `nn` is non, `wanna` want to."""

from __future__ import annotations

import re

from pbem.wording import wording

_WORDS = wording(__package__)
_FULL = dict(pair.split(" = ") for pair in _WORDS.words("short_spellings"))
_SHORT = re.compile(
    rf"(?<![\w'’.-])(?:{'|'.join(sorted(map(re.escape, _FULL), key=len, reverse=True))})(?![\w'’-])", re.I
)


def spelled_out(text: str) -> str:
    """Expands the short spellings of a text."""
    return _SHORT.sub(lambda found: _FULL[found[0].lower()], text)
