"""Reads time given and pauses in a sentence: `please take five more days!`, `shall we stop for a week?`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pbem.inbox.commands.normalization import bare
from pbem.wording import wording

_WORDS = wording(__package__)
_TABLE = "time_in_talk"
_SO = re.compile(rf"\s+(?:{_WORDS.either(_TABLE, 'about')})\b")  # a week or so
_LEAVE = re.compile(rf"\b(?:{_WORDS.either(_TABLE, 'leave')})\b")  # is it ok if we pause
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 24
_UNITS = {"days": 1, "weeks": 7, "fortnight": 14, "months": 30}


@lru_cache(maxsize=1024)  # called repeatedly for each line
def in_figures(text: str) -> str:
    """Writes durations as days in figures: `a break for a week` becomes `a break for 7 days`."""
    level = bare(text)
    for language in _WORDS.each(_TABLE):
        counted = _counted(language)
        for found in reversed(list(counted.form.finditer(level))):
            number = counted.numbers.get(found["number"] or "", 0) or int(found["number"])
            days = f"{number * counted.units[found['unit']]} {counted.days}"
            text = text[: found.start()] + days + text[found.end() :]
        level = bare(text)
    return text


def in_digits(text: str) -> str:
    """Writes number words in figures: `ten at night` becomes `10 at night`."""
    numbers = {word: str(n) for language in _WORDS.each(_TABLE) for word, n in _numbers(language).items()}
    return _WORD.sub(lambda word: numbers.get(bare(word[0]), word[0]), text)


def days_in(text: str) -> str:
    """Returns `5 DAYS` when the text counts days once, else ""."""
    counted = set()
    for words in _WORDS.each(_TABLE).values():
        days, more = words["days"][-1].upper(), _either(words["more"])
        figures = bare(in_figures(re.sub(rf"\s{more}(?=\s)", "", bare(text))))
        counted |= {
            f"{found} {days}" for found in re.findall(rf"(?<!\w)[1-9][0-9]?(?= {days.lower()}\b)", figures)
        }
    return counted.pop() if len(counted) == 1 else ""


@lru_cache(maxsize=1024)
def with_boards_counted(text: str) -> str:
    """Writes the number of boards or moves in figures: `the last six positions`."""
    for language in _WORDS.each(_TABLE):
        form, numbers = _boards(language)
        for found in reversed(list(form.finditer(bare(text)))):
            text = text[: found.start()] + str(numbers[found["number"]]) + text[found.end() :]
    return text


@cache
def _boards(language: str) -> tuple[re.Pattern[str], Mapping[str, int]]:
    words = _WORDS.each(_TABLE)[language]
    numbers = _numbers(language)
    form = rf"\b(?P<number>{_either(numbers)})(?=\s+{_either(words['boards'])}\b)"
    return re.compile(form), numbers


class _Counted(NamedTuple):
    """The words of a language for durations, in days."""

    form: re.Pattern[str]
    numbers: Mapping[str, int]
    units: Mapping[str, int]
    days: str


@cache
def _counted(language: str) -> _Counted:
    words = _WORDS.each(_TABLE)[language]
    units = {bare(unit): days for key, days in _UNITS.items() for unit in words[key]}
    numbers = {bare(word): at for at, word in enumerate(words["numbers"], start=1)}
    numbers |= {bare(word): at for at, said in enumerate(words["some"], start=1) for word in said}
    form = rf"\b(?P<number>[1-9]|{_either(numbers)})\s+(?P<unit>{_either(units)})\b"
    return _Counted(re.compile(form), numbers, units, words["days"][-1])


@cache
def _numbers(language: str) -> Mapping[str, int]:
    return {bare(word): at for at, word in enumerate(_WORDS.each(_TABLE)[language]["numbers"], start=1)}


def _either(words: Sequence[str] | Mapping[str, int]) -> str:
    said = sorted(map(bare, words), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, said))})"
