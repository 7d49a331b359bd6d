"""Finds what a reply asks for instead of what a question was about: `no, a draw instead`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.inbox.commands.line import typed
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_RATHER = re.compile(rf"[,\s]*\b(?:{_WORDS.either('instead_of_that', 'rather')})\b,?", re.IGNORECASE)
_WISH = {
    fold(said): str(_WORDS.of(language, "instead_of_that", "wish"))
    for language in _WORDS.languages
    for said in _WORDS.of(language, "instead_of_that", "preferring")
}
_PREFERRING = re.compile(rf"^\W*({_WORDS.either('instead_of_that', 'preferring')})\b", re.IGNORECASE)
_BUT, _BEGINS = _WORDS.either("instead_of_that", "but"), _WORDS.either("instead_of_that", "begins")
_NO_AND = re.compile(rf"^(\s*no)\s+(?:(?:{_BUT})\s+|(?=(?:{_BEGINS})\b))", re.IGNORECASE)


def parted(lines: Sequence[str]) -> list[str]:
    """Puts a comma after a no that leads to something else: `no but offer a draw`."""
    at = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    first = [_NO_AND.sub(r"\1, ", typed(line), count=1) for line in lines[at : at + 1]]
    return [*lines[:at], *first, *lines[at + 1 :]]


def preferred(lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines as they would be said alone: `a draw`, `vorrei la patta`."""
    for line in lines:
        text = " ".join(_RATHER.sub(" ", typed(line)).split())
        yield _PREFERRING.sub(lambda found: _WISH[fold(found[1])], text, count=1)
