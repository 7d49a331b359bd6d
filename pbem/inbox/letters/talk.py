"""Picks out what of a letter is said to the opponent: not the greetings' tail that every letter carries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailparser_reply.parser import EmailMessage

# The library's expressions take quadratic time: within these bounds they take milliseconds.
TALK = 4_000  # characters
LINE = 400  # characters

_BLANK_RUN = re.compile(r"\n{3,}")
_LANGUAGES = ("en", "it", "de", "fr", "es", "nl")


def talk(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without closing formulas, disclaimers and signatures; `lines` as a Letter has them."""
    said = _BLANK_RUN.sub("\n\n", "\n".join(line[:LINE].rstrip() for line in lines))[:TALK].strip("\n")
    if not said:
        return ()
    letter = EmailMessage(text=said, languages=list(_LANGUAGES), keep_hyphen_lists=True).read()
    return tuple(letter.replies[0].body.split("\n")) if letter.replies[0].body else ()
