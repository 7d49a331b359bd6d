"""Reads the writer's absence in a sentence, if it has an end: `I'm off to Spain on Friday for two weeks`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pbem.inbox.understanding.normalization import bare
from pbem.inbox.understanding.slots.dates import Day, in_figures, read_day
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_ENDS = _WORDS.words("ends")
_FROM, _ON = _WORDS.words("from"), _WORDS.words("on")
_ELIDED = re.compile(r"(?<=ll)['’](?=[0-9])")  # all'8
_SIGNS = ",.;:!?()"


@dataclass(frozen=True)
class _Said:
    """The patterns of a language for how long."""

    lasting: re.Pattern[str]
    whole: re.Pattern[str]


@dataclass(frozen=True)
class _Found:
    """A day as `words`; `ends`: it follows a word for until."""

    day: Day
    words: str
    ends: bool


def away_in(text: str) -> Iterator[str]:
    """Yields the days of a sentence that is known to announce an absence."""
    counted = in_figures(text)
    for language in _WORDS.languages:
        yield from _days(counted, bare(counted).replace("’", "'"), language)


def last_day_in(text: str) -> str:
    """Returns the day behind `until`, else ""."""
    _, last = _first_and_last(_in_order(_ELIDED.sub(" ", text).split()))
    return last.words if last else ""


def _days(text: str, level: str, language: str) -> Iterator[str]:
    first, last = _first_and_last(_in_order(_ELIDED.sub(" ", text).split()))
    said = _said(language)
    if first and last:
        yield f"{first.words} {last.words}"
    if last:
        yield last.words
    elif lasting := said.lasting.search(level):
        yield f"{first.words if first else ''} {lasting[0]}".strip()
    elif whole := said.whole.search(level):
        yield whole[0]


def _first_and_last(found: Sequence[_Found]) -> tuple[_Found | None, _Found | None]:
    last = next((each for each in reversed(found) if each.ends), None)
    begun = found[: found.index(last)] if last else found
    return next((each for each in begun if not each.ends), None), last


def _in_order(words: Sequence[str]) -> list[_Found]:
    """Returns the days in the order of the words."""
    found, at = [], 0
    while at < len(words):
        read = read_day(words[at:]) or _first_number(words, at)
        if read is None:
            at += 1
            continue
        after = len(words) - len(read[1])
        begins = at
        while begins and fold(words[begins - 1]) in (_ENDS if begins == at else _ENDS | _ON):
            begins -= 1
        ends = begins < at or fold(words[at]) in _ENDS
        if not ends and at and fold(words[at - 1]) in _FROM:
            begins -= 1
        found.append(_Found(read[0], " ".join(words[begins:after]).strip(_SIGNS), ends))
        at = after
    return found


def _first_number(words: Sequence[str], at: int) -> tuple[Day, Sequence[str]] | None:
    """Reads the 3 of `from 3 to 10 May`, `3 to 10 May`."""
    ends = at + 2 < len(words) and fold(words[at + 1]) in _ENDS
    begins = ends and ((at > 0 and fold(words[at - 1]) in _FROM) or read_day(words[at + 2 :]) is not None)
    read = read_day(["the", words[at]]) if begins else None
    return (read[0], words[at + 1 :]) if read else None


@cache
def _said(language: str) -> _Said:
    days, lasting = _either(_WORDS.of(language, "days")), _either(_WORDS.of(language, "for"))
    whole = _either(_WORDS.of(language, "sentences", "whole"))
    return _Said(
        re.compile(rf"(?:\b{lasting}\s+)?(?<!\w)[1-9][0-9]?\s+{days}\b"), re.compile(rf"\b{whole}\b")
    )


def _either(words: Sequence[str]) -> str:
    said = sorted((bare(word).replace("’", "'") for word in words), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, said))})"
