"""Finds the grammar line that a whole line says in other words: `I resign`, `my games please`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.inbox.commands.line import plain
from pbem.inbox.commands.normalization import (
    of_match,
    unquoted,
    without_courtesy,
)
from pbem.inbox.commands.phrases import matching

_LONGEST = 160  # characters; longer is talk
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
