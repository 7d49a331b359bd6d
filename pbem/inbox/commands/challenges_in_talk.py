"""Finds what a sentence asks to do with a challenge: `please cancel my challenge to Carla`."""

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
    """What can be done with a challenge; earlier members win, since "take back" contains "take"."""

    WITHDRAW = auto()
    DECLINE = auto()
    ACCEPT = auto()


_SAID = {
    Deed.WITHDRAW: _WORDS.words("challenges_in_talk", "withdrawing"),
    Deed.DECLINE: _WORDS.words("challenges_in_talk", "refusing"),
    Deed.ACCEPT: _WORDS.words("challenges_in_talk", "taking"),
}


def deeds(lines: Iterable[str]) -> tuple[frozenset[str], tuple[Deed, ...]]:
    """Returns the words of a short message about a challenge, and what it may ask for, likeliest first."""
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
