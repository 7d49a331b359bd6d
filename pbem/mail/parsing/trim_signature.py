"""Picks out what of a letter is said to the opponent: not the greetings' tail that every letter carries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    body = letter.replies[0].body
    return tuple(_as_drawn(body.split("\n"), said.split("\n"))) if body else ()


def _as_drawn(kept: Sequence[str], said: Sequence[str]) -> Iterator[str]:
    """The lines that were kept with the blanks before them, which the library takes away."""
    at = 0
    for line in kept:
        found = next((n for n in range(at, len(said)) if said[n].strip() == line.strip()), None)
        yield line if found is None else said[found]
        at = at if found is None else found + 1
