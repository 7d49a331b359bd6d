"""Reads the days of an absence from an automatic reply; in doubt none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pbem.inbox.commands.dates import Day, read_day
from pbem.inbox.commands.line import typed
from pbem.wording import fold, wording

LONGEST = timedelta(days=60)
_LINES = 40
_WORDS = wording(__package__)
_UNTIL = _WORDS.words("away", "until")  # before the last day away
_BACK = _WORDS.words("away", "back")  # before the day of return
_FROM = _WORDS.words("away", "from")  # before the first day, if a last day follows
_TO = _WORDS.words("away", "to") | {"-"}


@dataclass(frozen=True)
class Announced:
    """The days as written; `back` is the day after the last one."""

    first: Day | None = None
    last: Day | None = None
    back: Day | None = None

    def on(self, today: date) -> tuple[date, date] | None:
        """Returns the first and the last day, from today on. None when they make no sense, or are too far."""
        first = self.first.on(today) if self.first else today
        last = self.last.on(first or today) if self.last else None
        if self.back and (day := self.back.on(today)):
            last = day - timedelta(days=1)
        if first is None or last is None or not today <= first <= last <= today + LONGEST:
            return None
        return first, last


def announced(lines: Iterable[str]) -> tuple[Announced, ...]:
    """Returns all absences that the lines announce, each once."""
    said = (found for number, line in enumerate(lines) if number < _LINES for found in _in_line(line))
    return tuple(dict.fromkeys(said))


def days_away(said: Sequence[Announced], today: date) -> tuple[date, date] | None:
    """Returns the days that all announcements share. None when they differ: two absences may be meant."""
    days = {each.on(today) for each in said}
    return days.pop() if len(days) == 1 else None


def _in_line(line: str) -> Iterator[Announced]:
    words = re.sub(r"(?<=ll)['’](?=[0-9])", " ", typed(line)[:400]).split()
    folded = [fold(word).strip(",.:;!") for word in words]
    at = 0
    while at < len(words):
        found = _at(words[at:], folded[at:])
        if found is None:
            at += 1
            continue
        said, used = found
        yield said
        at += used


def _at(words: Sequence[str], folded: Sequence[str]) -> tuple[Announced, int] | None:
    """Returns the absence at the beginning of the words, and its number of words. None when there is none."""
    if (begun := _after(folded, _FROM)) and (first := _day(words, begun)):
        to = _after(folded[first[1] :], _TO)
        if to and (last := _day(words, first[1] + to)):
            return Announced(first=first[0], last=last[0]), last[1]
    if (begun := _after(folded, _UNTIL)) and (last := _day(words, begun)):
        return Announced(last=last[0]), last[1]
    if (begun := _after(folded, _BACK)) and (back := _day(words, begun)):
        return Announced(back=back[0]), back[1]
    return None


def _after(folded: Sequence[str], phrases: Iterable[str]) -> int:
    """Returns the number of words of the longest phrase at the beginning, or 0."""
    fits = (phrase.split() for phrase in phrases)
    return max((len(phrase) for phrase in fits if list(folded[: len(phrase)]) == phrase), default=0)


def _day(words: Sequence[str], at: int) -> tuple[Day, int] | None:
    """Returns a day with its month at this place, and the place behind it."""
    # "until Monday" may be of any week.
    read = read_day(words[at:])
    if read is None or not read[0].month:
        return None
    return read[0], len(words) - len(read[1])
