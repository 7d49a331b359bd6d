"""Picks out what of a letter is said to the opponent: not the greetings' tail that every letter carries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from mailparser_reply.parser import EmailMessage

# The library's expressions take quadratic time: within these bounds they take milliseconds.
TALK = 4_000  # characters
LINE = 400  # characters

_SENTENCE = 6  # words; "Best regards from a rainy Leeds" is shorter
_BLANK_RUN = re.compile(r"\n{3,}")
_LANGUAGES = ("en", "it", "de", "fr", "es", "nl")


def talk(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without closing formulas, disclaimers and signatures; `lines` as a Letter has them."""
    said = _BLANK_RUN.sub("\n\n", "\n".join(line[:LINE].rstrip() for line in lines))[:TALK].strip("\n")
    if not said:
        return ()
    letter = EmailMessage(text=said, languages=list(_LANGUAGES), keep_hyphen_lists=True).read()
    lines = said.split("\n")
    body = letter.replies[0].body
    kept = tuple(_as_drawn(body.split("\n"), lines)) if body else ()
    if not kept:
        return _sentences(lines)
    ends = lines[len(lines) - lines[::-1].index(kept[-1]) :] if kept[-1] in lines else ()
    return kept + _sentences(ends)


def _sentences(ends: Sequence[str]) -> tuple[str, ...]:
    """Those that the library takes for the formula with which they begin: `Thank you, it was a good game.`"""
    said = tuple(takewhile(lambda line: not line.strip() or _is_sentence(line), ends))
    return said if any(map(str.strip, said)) else ()


def _is_sentence(line: str) -> bool:
    return len(line.split()) >= _SENTENCE and line.rstrip().endswith((".", "!", "?", "…"))


def _as_drawn(kept: Sequence[str], said: Sequence[str]) -> Iterator[str]:
    """The lines that were kept with the blanks before them, which the library takes away."""
    at = 0
    for line in kept:
        found = next((n for n in range(at, len(said)) if said[n].strip() == line.strip()), None)
        yield line if found is None else said[found]
        at = at if found is None else found + 1
