"""Reads the days on which somebody is away out of calendar files (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

FILE = 64 * 1024  # characters
_EVENTS = 100
_ONE = timedelta(days=1)
Days = tuple[date, date]  # the first and the last


def days_off(file: str) -> tuple[Days, ...]:
    """Events that last all day, or that Outlook calls out of office; none of a file that cannot be read.

    Cancelled events are left out, and those that repeat: a birthday is no absence.
    """
    from icalendar import Calendar  # noqa: PLC0415 - few letters bring one

    if len(file) > FILE:
        return ()
    try:
        calendar = Calendar.from_ical(file)
        return tuple(days for event in list(calendar.walk("VEVENT"))[:_EVENTS] for days in _days(event))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return ()  # what the library raises on odd files


def _days(event: Any) -> Iterator[Days]:
    """DTEND is the day after the last (3.6.1); without it an event of a day lasts that day."""
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
