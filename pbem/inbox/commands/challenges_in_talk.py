"""What a sentence wants done with a challenge: `accetto la sfida di Bruno`, `please cancel my challenge to Carla`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from pbem.inbox.commands.bars import Bar, has_intent
from pbem.inbox.commands.moves_in_talk import words_in
from pbem.wording import wording

_WORDS = wording(__package__)
_CHALLENGES = _WORDS.words("challenges_in_talk", "challenge")
_MOST_WORDS = 24


class Deed(Enum):
    """One may be said in the words of another: to take back a challenge is not to take it."""

    WITHDRAW = auto()
    DECLINE = auto()
    ACCEPT = auto()


_SAID = {
    Deed.WITHDRAW: _WORDS.words("challenges_in_talk", "withdrawing"),
    Deed.DECLINE: _WORDS.words("challenges_in_talk", "refusing"),
    Deed.ACCEPT: _WORDS.words("challenges_in_talk", "taking"),
}


def deeds(lines: Iterable[str]) -> tuple[frozenset[str], tuple[Deed, ...]]:
    """The words of a short message that speaks of a challenge, and what may be wanted, the likeliest first."""
    lines = list(lines)
    words = frozenset(words_in(lines))
    if sum(len(line.split()) for line in lines) > _MOST_WORDS:
        return words, ()
    said = (deed for deed, ways in _SAID.items() if ways & words and not _CHALLENGES.isdisjoint(words))
    text = " ".join(lines)
    withdrawn = (Deed.WITHDRAW,) if has_intent("WITHDRAW", text) else ()
    wanted = tuple(dict.fromkeys((*withdrawn, *said)))
    unlisted = any(has_intent(intent, text, bar=Bar.REFUSED) for intent in ("UNLISTED", "BLOCK"))
    return words, () if unlisted else wanted
