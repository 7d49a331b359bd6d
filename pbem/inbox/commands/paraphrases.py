"""Finds the grammar line that a whole line says in other words: `I resign`, `my games please`.

Of the wording's tables, `said` is executed; `nearly` and `anew` are asked about, unless read-only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.inbox.commands.line import plain
from pbem.inbox.commands.normalization import (
    of_match,
    unquoted,
    wishes,
    without_courtesy,
    without_vocative,
)
from pbem.inbox.commands.phrases import matching
from pbem.inbox.commands.time_in_talk import in_figures, with_boards_counted

_LONGEST = 160  # characters; longer is talk
_FEW_WORDS = 4
_CLAUSE = re.compile(r",|[.;:]\s")
_DOUBTS = ("!", "?", "..")


def unwrapped(text: str) -> Iterator[str]:
    """Yields the line without thanks, quotation marks and the word for a match. Empty for a question."""
    written = plain(text[: _LONGEST + 1])
    if len(text) <= _LONGEST and not written.endswith(_DOUBTS):
        kind = without_courtesy(unquoted(written))
        yield from dict.fromkeys(line for line in (of_match(kind), kind) if line != written)


def in_other_words(text: str) -> Iterator[str]:
    """Yields the grammar lines that the whole text says. Empty for a question or an exclamation."""
    written = plain(text[: _LONGEST + 1])
    if len(text) <= _LONGEST and not written.endswith(_DOUBTS):
        yield from matching("said", of_match(without_courtesy(unquoted(written))))


def nearly(text: str, *, anew: bool) -> Iterator[str]:
    """Yields the grammar lines that the text may mean. `anew`: it is not a reply about a match."""
    if len(text) > _LONGEST:
        return
    about = of_match(without_courtesy(unquoted(plain(text).rstrip("!?. "))))
    wished = tuple(wishes(about))
    for table in ("said", "nearly", "anew") if anew else ("said", "nearly"):
        said = (about, *wished, plain(text).rstrip("!?. "))  # thanks may be what is to be said
        counted = (*map(in_figures, said), *map(with_boards_counted, said))
        for line in dict.fromkeys((*said, *counted, *map(without_vocative, said))):
            yield from matching(table, line)
    yield from wished
    for clause in _clauses(about):
        yield from matching("said", clause)
    yield from _at_last(about) if "?" not in text else ()


def _at_last(text: str) -> Iterator[str]:
    """Yields what the last clause says: `there is no way out, so I resign`."""
    *before, last = _CLAUSE.split(text)
    for said in (last.strip(), *wishes(last.strip())) if before else ():
        if len(said.split()) <= _FEW_WORDS:
            near = (*matching("said", said), *matching("nearly", said))
            yield from (line for line in near if " " not in line)


def asked_how(text: str) -> Iterator[str]:
    """Yields HELP with the rest, when the text asks how something is done."""
    if len(text) <= _LONGEST:
        about = without_courtesy(unquoted(plain(text).rstrip("!?. ")))
        for line in (about, *wishes(about)):
            yield from matching("how", line)


def _clauses(text: str) -> Iterator[str]:
    """Yields the clauses before and after a comma with more than one word: `I resign, well played`."""
    first, _, second = text.partition(",")
    if 0 < len(second.split()) <= _FEW_WORDS and len(first.split()) <= _FEW_WORDS:
        yield from (clause.strip() for clause in (first, second) if " " in clause.strip())
