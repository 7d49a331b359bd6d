"""What people put around what they mean: please and thanks, quotation marks, the word for a match before its number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from pbem.wording import primitive, wording

_WORDS = wording(__package__)
_PAIRS = ("“”", "„“", "„”", "‘’", "«»", "»«", '""', "''", "()", "[]", "**")
_LONGEST = 200  # characters; longer is talk
_MOST_WISHES = 5  # one behind the other: "Hi, please, I would like to"


@lru_cache(maxsize=1024)  # each way of reading a line asks for it anew
def bare(text: str) -> str:
    """In small letters without accents, as long as it was: where something is found in it, there it is in the text."""
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFD", letter.lower())[:1] or letter for letter in text)


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(set(map(bare, words)), key=len, reverse=True))) or "(?!)"


def _any_of(words: Iterable[str]) -> str:
    """The same for under a repetition, which has to be possessive."""
    return "|".join(map(re.escape, primitive(map(bare, words)))) or "(?!)"


_COURTESY = _any_of(word for words in _WORDS.each("courtesy").values() for word in words)
_KIND_BEFORE = re.compile(rf"(?:{_either(_WORDS.words('please'))})[\s,]+(?=\S)")
_KIND_AFTER = re.compile(rf"(?<=\S)(?:[\s,;.:-]++(?:{_COURTESY}))++$")
_VOCATIVE = re.compile(rf"(?<=\S)(?:[\s,]++(?:{_any_of(_WORDS.words('vocatives'))}))++$")
_OF_MATCH = re.compile(rf"\b(?:{_either(_WORDS.words('match'))})\s+(?:#\s?)?(?=[0-9]{{1,9}}\b)")


@cache
def _wish() -> re.Pattern[str]:
    """Compiled when first tried: the longest of all patterns, a twentieth of the time in which a process starts."""
    wishes, greetings = _either(_WORDS.words("wishes")), _either(_WORDS.words("greetings"))
    return re.compile(rf"(?:{wishes}|(?:{greetings})[\s,.!:;-]*)[\s,:]+(?=\S)")


def without_courtesy(text: str) -> str:
    """Without please and thanks, before it or after it."""
    if len(text) > _LONGEST:
        return text
    after = _KIND_AFTER.search(bare(text))
    text = text[: after.start()] if after else text
    before = _KIND_BEFORE.match(bare(text))
    return text[before.end() :] if before else text


def without_vocative(text: str) -> str:
    """Without what somebody is called behind a comma or a blank: `how does it work, love`."""
    called = _VOCATIVE.search(bare(text)) if len(text) <= _LONGEST else None
    return text[: called.start()] if called else text


def wishes(text: str) -> Iterator[str]:
    """Without what people put before what they want to do, piece by piece: `Hi, I'd like to`, `ciao, posso`."""
    for _ in range(_MOST_WISHES):
        before = _wish().match(bare(text[:_LONGEST]))
        if not before:
            return
        text = text[before.end() :]
        yield text


def of_match(text: str) -> str:
    """`match 4: b8-b6` and `join game 12` with the number alone."""
    found = _OF_MATCH.search(bare(text)) if len(text) <= _LONGEST else None
    return text[: found.start()] + text[found.end() :] if found else text


def unquoted(text: str) -> str:
    """Without the pair of signs around it, if there is one and it is the only one."""
    for first, last in map(tuple, _PAIRS):
        within = text[1:-1]
        if len(text) > 2 and text[0] == first and text[-1] == last and not {first, last} & set(within):
            return within.strip()
    return text
