"""Italian between two equal vowels: tocca ad Ada, a Emma; Bruno ed Emma. Elsewhere nothing changes."""

from __future__ import annotations

import re
import unicodedata

# What sentences have before a name that is not known yet: `a(d) {player}`.
_MAYBE = re.compile(r"\b([aeo])\(d\)(?=\s*(\w)?)", re.IGNORECASE)


def euphonic(text: str) -> str:
    """With the d that belongs there, and without any other."""
    return _MAYBE.sub(_settled, text) if "(d)" in text else text


def _settled(found: re.Match[str]) -> str:
    vowel, begins = found[1], unicodedata.normalize("NFD", found[2] or " ")[0]
    return f"{vowel}d" if begins.casefold() == vowel.casefold() else vowel
