"""Parses days in any language: `3 Aug`, `il 3 agosto 2026`, `3/8`, `domani`, `Friday`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from itertools import chain

from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MONTHS = [[*map(fold, chain(*ways))] for ways in zip(*_WORDS.each("dates", "months").values(), strict=True)]
_WEEKDAYS = [[*map(fold, ways)] for ways in zip(*_WORDS.each("dates", "weekdays").values(), strict=True)]
_AHEAD: Mapping[str, int] = {
    word: days
    for days, said in enumerate(("today", "tomorrow", "after_tomorrow"))
    for word in _WORDS.words("dates", said)
}
_BEFORE, _OF = _WORDS.words("dates", "before"), _WORDS.words("dates", "of")
_BEHIND = _WORDS.words("dates", "behind")
_THE = _WORDS.words("dates", "the")
_LONGEST_MONTH = 31  # days
_MONTHS_WITHOUT = 2  # to look beyond this month: the 30th, said on 31 January, is in March
_ELIDED = re.compile(rf"^(?:{_WORDS.either('dates', 'elided')})")
_NUMBER = re.compile(rf"([0-9]{{1,2}})(?:{_WORDS.either('dates', 'ordinals')})?")
_IN_WORDS: Mapping[str, int] = {
    fold(word): number
    for named in _WORDS.each("dates", "numbers").values()
    for number, words in enumerate(named, start=1)
    for word in words
}


@dataclass(frozen=True)
class Day:
    """A day as written: a date (`year` and `month` optional), days `ahead`, or a `weekday` (0 is Monday).

    `weeks` picks the weekday of so many weeks ahead, instead of the next one.
    """

    day: int = 0
    month: int = 0
    year: int | None = None
    weekday: int | None = None
    ahead: int | None = None
    weeks: int | None = None

    def on(self, today: date) -> date | None:
        """Returns the date; without a year the next, from today on. None when there is none (30 February)."""
        if self.ahead is not None:
            return today + timedelta(days=self.ahead)
        if self.weekday is not None and self.weeks is not None:
            return today + timedelta(days=7 * self.weeks + self.weekday - today.weekday())
        if self.weekday is not None:
            return today + timedelta(days=(self.weekday - today.weekday()) % 7)
        if not self.month:
            return self._in_next_month_that_has_it(today)
        if self.year is not None:
            return _date(self.year, self.month, self.day)
        years = range(
            today.year, min(today.year + 9, MAXYEAR)
        )  # 29 February comes after eight years at the latest
        days = (_date(year, self.month, self.day) for year in years)
        return next((day for day in days if day and day >= today), None)

    def _in_next_month_that_has_it(self, today: date) -> date | None:
        months = (divmod(today.month - 1 + more, 12) for more in range(_MONTHS_WITHOUT + 1))
        days = (_date(today.year + years, month + 1, self.day) for years, month in months)
        return next((day for day in days if day and day >= today), None)


def read_day(words: Sequence[str]) -> tuple[Day, Sequence[str]] | None:
    """Returns the longest day that begins the words, and the words after it. None when there is none."""
    return next(
        ((day, words[count:]) for count in range(min(6, len(words)), 0, -1) if (day := _day(words[:count]))),
        None,
    )


def _day(words: Sequence[str]) -> Day | None:
    if day := _of_any_month([fold(word).strip(",.:;!?") for word in words]):
        return day
    said = [_ELIDED.sub("", fold(word).strip(",.:;!?")) for word in words]
    if len(said) > 1 and said[0] in _BEFORE | _THE:
        said = said[1:]
    if len(said) > 1 and said[-1] in _BEHIND:
        said = said[:-1]
    match said:
        case [word] if word in _AHEAD:
            return Day(ahead=_AHEAD[word])
        case [word] if (weekday := _named(word, _WEEKDAYS)) is not None:
            return Day(weekday=weekday)
        case [word]:
            return _in_figures(word)
        case [weekday, *rest] if _named(weekday, _WEEKDAYS) is not None and len(rest) > 1:
            return _in_words(rest)  # the weekday is ignored
    return _in_words(said)


def _of_any_month(said: Sequence[str]) -> Day | None:
    """Parses `the 15th`, `il 15`, `l'8`, `15th`; 15 alone is no day."""
    word = said[-1] if said else ""
    the = (len(said) == 2 and said[0] in _THE) or (len(said) == 1 and _ELIDED.match(word))
    number = _NUMBER.fullmatch(_ELIDED.sub("", word))
    if number is None or not (the or (len(said) == 1 and not word.isdecimal())):
        return None
    return Day(int(number[1])) if 1 <= int(number[1]) <= _LONGEST_MONTH else None


def _in_figures(word: str) -> Day | None:
    """Parses 2026-08-03, and with the day first 3/8, 03.08.2026, 3-8-26."""
    if found := re.fullmatch(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", word):
        year, month, day = map(int, found.groups())
    elif found := re.fullmatch(r"([0-9]{1,2})([/.-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?", word):
        if found[2] != "/" and not found[4]:
            return None  # 3.8 and 3-8 are scores and moves
        day, month = int(found[1]), int(found[3])
        return _written(day, month, int(found[4]) if found[4] else None)
    else:
        return None
    return _written(day, month, year)


def _in_words(said: Sequence[str]) -> Day | None:
    """Parses 3 Aug, 3rd of August 2026, August 3, 1° agosto, tre agosto."""
    words = [word for word in said if word not in _OF]
    match words:
        case [first, second, *year] if len(year) < 2:
            day, month = (second, first) if _number(first) is None else (first, second)
            number, named = _number(day), _named(month, _MONTHS)
            if number and named is not None and all(re.fullmatch("[0-9]{4}", each) for each in year):
                # With a month it is a day even if it does not exist: 31 November.
                return Day(number, named + 1, int(year[0]) if year else None)
    return None


def _number(word: str) -> int | None:
    """Parses 3, 3rd, third, tre; up to 31."""
    figures = _NUMBER.fullmatch(word)
    number = int(figures[1]) if figures else _IN_WORDS.get(word, 0)
    return number if 1 <= number <= _LONGEST_MONTH else None


def _written(day: int, month: int, year: int | None) -> Day | None:
    """Returns None when the date does not exist; without a year, a leap year decides."""
    if year is not None and year < 100:
        year += 2000
    return Day(day, month, year) if _date(year or 2000, month, day) else None


def _named(word: str, names: Sequence[Sequence[str]]) -> int | None:
    """Finds a name by its first three letters or more."""
    if len(word) < 3:
        return None
    fits = (number for number, each in enumerate(names) if any(name.startswith(word) for name in each))
    return next(fits, None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
