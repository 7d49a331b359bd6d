"""Calendar files say on which days somebody is away; odd ones say nothing."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.commands.ics import FILE, days_off

AUGUST = (date(2026, 8, 3), date(2026, 8, 14))


def calendar(*lines: str) -> str:
    event = "\r\n".join(["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260501T000000Z", *lines, "END:VEVENT"])
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n{event}\r\nEND:VCALENDAR\r\n"


@pytest.mark.parametrize(
    "lines",
    [
        ["DTSTART;VALUE=DATE:20260803", "DTEND;VALUE=DATE:20260815"],
        ["DTSTART;VALUE=DATE:20260803", "DURATION:P12D"],
        ["DTSTART:20260803T080000", "DTEND:20260814T180000", "X-MICROSOFT-CDO-BUSYSTATUS:OOF"],
        ["DTSTART:20260803T000000", "DTEND:20260815T000000", "X-MICROSOFT-CDO-BUSYSTATUS:OOF"],
    ],
)
def test_whole_days_and_what_outlook_calls_out_of_office(lines: list[str]) -> None:
    assert days_off(calendar(*lines)) == (AUGUST,)


def test_an_event_of_a_day_has_no_end() -> None:
    assert days_off(calendar("DTSTART;VALUE=DATE:20260803")) == ((date(2026, 8, 3), date(2026, 8, 3)),)


@pytest.mark.parametrize(
    "lines",
    [
        ["DTSTART:20260803T080000Z", "DTEND:20260803T090000Z"],
        ["DTSTART;VALUE=DATE:20260803", "RRULE:FREQ=YEARLY"],
        ["DTSTART;VALUE=DATE:20260803", "STATUS:CANCELLED"],
        ["DTSTART;VALUE=DATE:20260815", "DTEND;VALUE=DATE:20260803"],
        ["DTSTART;VALUE=DATE:20269999"],
        ["DTSTART;VALUE=DATE:20260803", "DTEND:20260815T000000Z"],
        ["SUMMARY:Nothing"],
    ],
)
def test_other_events_are_no_absence(lines: list[str]) -> None:
    assert days_off(calendar(*lines)) == ()


@pytest.mark.parametrize("file", ["", "BEGIN:VCALENDAR", "hello", "x" * (FILE + 1)])
def test_what_is_no_calendar_says_nothing(file: str) -> None:
    assert days_off(file) == ()


@given(
    st.lists(
        st.sampled_from(["DTSTART", "DTEND", "DURATION", "STATUS", ":", ";", "VALUE=DATE", "P1D", "2026080"])
    )
)
def test_no_file_stops_us(pieces: list[str]) -> None:
    days_off(calendar("".join(pieces)))
    days_off(calendar("DTSTART;VALUE=DATE:20260803", "".join(pieces)))


def test_a_calendar_in_a_calendar_in_a_calendar() -> None:
    deep = FILE // 40
    assert days_off("BEGIN:VCALENDAR\r\n" * deep + "END:VCALENDAR\r\n" * deep) == ()
