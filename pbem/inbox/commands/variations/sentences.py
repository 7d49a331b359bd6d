"""Reads moves to try in a sentence: `where do I end up if I play b1-b3 and he answers a2-c2?`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.moves_between import parted
from pbem.inbox.commands.moves_in_talk import WORD
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.phrases import called
from pbem.wording import fold, wording

_WORDS = wording(__package__)


def tried(text: str, is_move: IsMove) -> Iterator[str]:
    """Yields the moves as a line of the grammar."""
    said = parted(text, is_move)
    if said is None:
        return
    before, *between, after = said.texts
    words = {fold(word) for word in WORD.findall(f"{before} {after}")}
    for language in _WORDS.languages:
        asking, joining = _words(language, "asking"), _words(language, "joining")
        wondering = asking if between else _words(language, "wondering")  # `let's try b1-b3` is to be played
        asks = words & wondering and words <= asking | _words(language, "opening")
        if asks and all(_joins(each, joining) for each in between):
            yield f"{called('TRY', language)} {'; '.join(said.moves)}"


def _joins(text: str, joining: frozenset[str]) -> bool:
    said = WORD.findall(text)
    return all(fold(word) in joining or (word.istitle() and is_name(word)) for word in said)


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(map(fold, _WORDS.of(language, "tried", key)))
