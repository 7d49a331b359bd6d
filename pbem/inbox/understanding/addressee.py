"""Finds whom words are for, when not us: the opponent (`tell him I'll be late`), a friend, a challenger."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import Enum, auto
from functools import cache

from pbem.inbox.commands.line import LONGEST_LINE
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.verbs import Lines, help_on
from pbem.inbox.understanding.normalization import bare
from pbem.inbox.understanding.slots.moves import words_in
from pbem.intents import Bar, has_intent
from pbem.wording import wording

_WORDS = wording("pbem.inbox.commands")
_TELL, _TELL_THEM = _WORDS.either("tell_them", "tell"), _WORDS.either("tell_them", "tell_them")
_POINTING = _WORDS.either("tell_them", "pointing")  # `tell him that was a lovely move`
_WHOM = _WORDS.either("tell_them", "whom")


def told_to_them(text: str, names: Collection[str]) -> str:
    """Replaces each line that asks to tell the opponent something by what is to be told."""
    asks = _asks(names)
    return "\n".join(_told(line, asks) for line in text.split("\n"))


def asks_to_tell(text: str, names: Collection[str]) -> bool:
    """Whether the first line asks to tell the opponent something."""
    return bool(_asks(names).match(text.lstrip()))


def _told(line: str, asks: re.Pattern[str]) -> str:
    found = asks.match(line)
    if not found or not (said := line[found.end() :].strip()):
        return line
    said = said.removesuffix("?").rstrip() if found["asking"] else said
    return said[:1].upper() + said[1:]


def _asks(names: Collection[str]) -> re.Pattern[str]:
    """Compiles the pattern for an opponent with these names."""
    called = "|".join(re.escape(name) for name in names if name) or "(?!)"
    return re.compile(
        rf"\s*+(?P<asking>(?:(?:{_WORDS.repeated('tell_them', 'asking')})[\s,]++)*+)"
        rf"(?:(?:{_TELL})\s+(?:{_WHOM}|(?:ad?\s+)?(?:{called}))|{_TELL_THEM})\b"
        rf"(?:\s*[,:]|\s+(?!(?:{_POINTING})\b)(?:{_WORDS.either('tell_them', 'that')})\b)?\s+",
        re.IGNORECASE,
    )


# Finds words for the friend in a challenge: `Invite Tom to zertz, and tell him dinner is at seven`.

_ADDRESSED = re.compile(rf"\s*(?i:{_WORDS.either('hailing')})\s+(?!PBeM)[^\W\d_a-z][\w'-]+[,!.:]")


def is_to_a_friend(line: str) -> bool:
    """Whether the line addresses a friend: `Cara Elsa, proviamo?`."""
    return bool(_ADDRESSED.match(line))


def message_along(line: str) -> str:
    """Returns the message up to the end of the line, else ""."""
    found = _pattern().search(line[:LONGEST_LINE])
    return found[1].strip() if found else ""


@cache
def _pattern() -> re.Pattern[str]:
    them, named = _WORDS.either("telling"), _WORDS.either("telling_named")
    begins = (
        rf"(?:^|[,.;:!?]\s+|\s+[-–—]\s+)"
        rf"(?:(?:{_WORDS.repeated('joining')}|{_WORDS.repeated('please')})[\s,]++)*+"
    )
    inside = rf"\s+(?:{_WORDS.either('joining')})\s+(?:(?:{_WORDS.either('please')})\s+)?"
    tells = rf"(?:(?i:{them})(?!\w)|(?i:{named})\s+[^\W\d_a-z]\w+)"
    return re.compile(rf"(?:(?i:{begins})|(?i:{inside}))({tells}\s+\S.*)", re.DOTALL)


# Finds what a sentence asks to do with a challenge: `please cancel my challenge to Carla`.

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


# Finds the help that words to an opponent may call for: `how long may I think?`.

_RULES = "HELP RULES"
_LONGEST = 300  # characters


def hinted(text: str, language: str) -> Lines | None:
    """Returns the help that the text may call for. None when there is none."""
    if len(text) > _LONGEST:
        return None
    level = " ".join(re.findall(r"[\w?]+", bare(text).replace("?", " ?")))
    verb = next((verb for verb in _WORDS.of(language, "hints") if _patterns(verb).search(level)), "")
    if verb == _RULES:
        return "", [(written(verb, language), str(_WORDS.of(language, "rules_brief")))]
    return help_on(verb, language) if verb else None


@cache
def _patterns(verb: str) -> re.Pattern[str]:
    """Compiles the phrases of a verb; one that ends with `?` counts only in a question."""
    ways = [way for ways in _WORDS.each("hints", verb).values() for way in ways]
    said = (r"\b" + r"\W+".join(map(_word, re.findall(r"[\w*]+", bare(way)))) + _asked(way) for way in ways)
    return re.compile("|".join(said))


def _word(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*")


def _asked(way: str) -> str:
    return r"\b[^?]*\?" if way.endswith("?") else r"\b"
