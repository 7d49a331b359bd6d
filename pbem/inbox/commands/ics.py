"""Fills a bare AWAY with the absences in calendar files (RFC 5545) of the same letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from pbem.inbox.commands.absence.grammar import Absences, Away
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.dates import Day

# Calendar files

FILE = 64 * 1024  # characters
_EVENTS = 100
_ONE = timedelta(days=1)
Days = tuple[date, date]  # the first and the last


def days_off(file: str) -> tuple[Days, ...]:
    """Returns the all-day and Outlook out-of-office events. Empty when the file cannot be read.

    Cancelled and repeated events are left out.
    """
    from icalendar import Calendar  # noqa: PLC0415 - few letters bring one

    if len(file) > FILE:
        return ()
    try:
        calendar = Calendar.from_ical(file)
        return tuple(days for event in list(calendar.walk("VEVENT"))[:_EVENTS] for days in _days(event))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return ()  # raised by the library for malformed files


def _days(event: Any) -> Iterator[Days]:
    # DTEND is the day after the last (RFC 5545, 3.6.1); without it an event of a day lasts that day.
    cancelled = str(event.get("STATUS", "")).upper() == "CANCELLED"
    if cancelled or "RRULE" in event or "DTSTART" not in event:
        return
    begin = event.decoded("DTSTART")
    all_day = not isinstance(begin, datetime)
    if not all_day and str(event.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper() != "OOF":
        return
    if "DTEND" in event:
        end = event.decoded("DTEND")
    else:
        end = begin + (event.decoded("DURATION") if "DURATION" in event else _ONE)
    first, last = (begin, end - _ONE) if all_day else (begin.date(), (end - timedelta(seconds=1)).date())
    if first <= last:
        yield first, last


MOST = 3


def with_files(commands: Sequence[Command], files: Iterable[str]) -> tuple[Command, ...]:
    """Replaces a bare AWAY by one for each absence in the `files`, at most MOST."""
    if not any(isinstance(command, Absences) for command in commands):
        return tuple(commands)
    found = dict.fromkeys(days for file in files for days in days_off(file))
    away = [_away(*days) for days in sorted(found)[:MOST]]
    return tuple(_replaced(commands, away)) if away else tuple(commands)


def _replaced(commands: Sequence[Command], away: Sequence[Command]) -> Iterator[Command]:
    for command in commands:
        if isinstance(command, Absences):
            yield from away
        else:
            yield command


def _away(first: date, last: date) -> Away:
    begin, end = (Day(day.day, day.month, day.year) for day in (first, last))
    return Away(begin, end, line=f"AWAY {first} TO {last}")
