"""Reads an hour or a range of hours in a sentence: `at 8 in the morning`, `between 10pm and 7`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.inbox.commands.normalization import bare
from pbem.wording import wording

_WORDS = wording(__package__)
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
