"""Finds days, hours and spans in any language: `3 Aug`, `il 3 agosto 2026`, `domani`, `at nine`, `3 more days`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from pbem.inbox.understanding.normalization import bare
from pbem.wording import fold, wording

_WORDS = wording("pbem.inbox.commands")
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
    if not any(map(_is_of_days, words[:6])):  # so of most sentences
        return None
    return next(
        ((day, words[count:]) for count in range(min(6, len(words)), 0, -1) if (day := _day(words[:count]))),
        None,
    )


@lru_cache(maxsize=4096)
def _is_of_days(word: str) -> bool:
    """Tells whether a day cannot do without a word of this kind: figures, a month, a weekday, `today`."""
    said = _ELIDED.sub("", fold(word).strip(",.:;!?"))
    return said in _AHEAD or any(map(str.isdigit, said)) or _named(said, [*_WEEKDAYS, *_MONTHS]) is not None


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


# Reads an hour or a range of hours in a sentence: `at 8 in the morning`, `between 10pm and 7`.

_HALF_DAY = 12
_BEFORE_DAWN = 4  # `2 at night` is early


def _said(key: str) -> set[str]:
    return {bare(word) for words in _WORDS.each("said_hours", key).values() for word in words}


def _either(*keys: str) -> str:
    words = sorted((word for key in keys for word in _said(key)), key=len, reverse=True)
    return "|".join(map(re.escape, words))


def _hour(number: int, *, told: str = "?") -> str:
    """Builds the pattern of an hour; `told` is the quantifier of the half of the day."""
    named = rf"2[0-3]|[01]?[0-9]|{_either('noon', 'midnight')}"
    half = rf"(?:\s?(?P<half{number}>{_either('forenoon', 'afternoon', 'night')})(?!\w)){told}"
    return rf"(?P<hour{number}>{named})(?:[:.]00)?(?!\d|[:.]\d){half}"


_HOUR = re.compile(rf"(?<!\w)(?:{_either('at')})\s+{_hour(1)}(?!\w)|(?<![\w.:]){_hour(2, told='')}")
_NIGHT = re.compile(rf"(?<![\w.:]){_hour(1)}\s*(?:[-–]|(?<!\w)(?:{_either('to')})(?!\w))\s*{_hour(2)}(?!\w)")
_NOON, _AFTERNOON, _LATE = _said("noon"), _said("afternoon"), _said("night")


def hours_in(text: str) -> Mapping[str, str]:
    """Returns a `night` from hour to hour, or the only `hour`. Empty when there is none."""
    level = bare(text)
    if nights := list(_NIGHT.finditer(level)):
        ends = [_read(nights[0], number) for number in (1, 2)]
        return {"night": "{}-{}".format(*ends)} if len(nights) == 1 and len(set(ends)) > 1 else {}
    hours = [str(_read(found, 1 if found["hour1"] else 2)) for found in _HOUR.finditer(level)]
    return {"hour": hours[0]} if len(hours) == 1 else {}


def _read(found: re.Match[str], number: int) -> int:
    said, half = found[f"hour{number}"], found[f"half{number}"]
    if not said.isdecimal():
        return _HALF_DAY if said in _NOON else 0
    hour = int(said)
    if hour > _HALF_DAY or half is None:
        return hour
    late = half in _AFTERNOON or (half in _LATE and _BEFORE_DAWN < hour < _HALF_DAY)
    return hour % _HALF_DAY + _HALF_DAY * late


# Reads time given and pauses in a sentence: `please take five more days!`, `shall we stop for a
# week?`.

_TABLE = "time_in_talk"
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
        days, more = words["days"][-1].upper(), _any_of(words["more"])
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
    form = rf"\b(?P<number>{_any_of(numbers)})(?=\s+{_any_of(words['boards'])}\b)"
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
    form = rf"\b(?P<number>[1-9]|{_any_of(numbers)})\s+(?P<unit>{_any_of(units)})\b"
    return _Counted(re.compile(form), numbers, units, words["days"][-1])


@cache
def _numbers(language: str) -> Mapping[str, int]:
    return {bare(word): at for at, word in enumerate(_WORDS.each(_TABLE)[language]["numbers"], start=1)}


def _any_of(words: Sequence[str] | Mapping[str, int]) -> str:
    said = sorted(map(bare, words), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, said))})"
