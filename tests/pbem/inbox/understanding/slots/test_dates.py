"""Days are read as people write them, and never guessed."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.understanding.slots.dates import Day, read_day

MONDAY = date(2026, 5, 4)


def on(written: str, today: date = MONDAY) -> date | None:
    """The whole text has to be the day."""
    read = read_day(written.split())
    return read[0].on(today) if read and not read[1] else None


@pytest.mark.parametrize(
    "written",
    """3 Aug/3 August/3 August 2026/3rd August/3rd of August 2026/the 3rd of August/Aug 3/August 3, 2026/3 AUG./
    2026-08-03/3⁄8/03.08.2026/3-8-2026/3.8.26/3 agosto/il 3 agosto/il 3 ago 2026/lunedì 3 agosto/
    Monday, 3 August 2026/Mon 3 Aug""".replace("\n    ", "").split("/"),
)
def test_the_third_of_august(written: str) -> None:
    assert on(written.replace("⁄", "/")) == date(2026, 8, 3)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("today", "2026-05-04"),
        ("oggi", "2026-05-04"),
        ("tomorrow", "2026-05-05"),
        ("domani", "2026-05-05"),
        ("dopodomani", "2026-05-06"),
        ("Friday", "2026-05-08"),
        ("venerdì", "2026-05-08"),
        ("ven", "2026-05-08"),
        ("Monday", "2026-05-04"),
        ("1° giugno", "2026-06-01"),
        ("1o giugno", "2026-06-01"),
        ("l'8 giugno", "2026-06-08"),
        ("the 15th", "2026-05-15"),
        ("the 3rd", "2026-06-03"),
        ("31st", "2026-05-31"),
        ("il 15", "2026-05-15"),
        ("l'8", "2026-05-08"),
        ("3/5", "2027-05-03"),
        ("4 May", "2026-05-04"),
        ("29 Feb", "2028-02-29"),
    ],
)
def test_a_day_without_a_year_is_the_next_one(written: str, day: str) -> None:
    assert on(written) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "written",
    [
        "8/13",
        "31 June",
        "30 febbraio",
        "3.8",
        "3-8",
        "3",
        "Aug",
        "3 ma",
        "the",
        "3 or 4 Aug",
        "0/1",
        "2026",
        "",
    ],
)
def test_what_is_no_day_is_not_guessed(written: str) -> None:
    assert on(written) is None


def test_what_follows_the_day_is_left() -> None:
    assert read_day(["3", "Aug", "to", "20", "Aug"]) == (Day(3, 8), ["to", "20", "Aug"])
    assert read_day(["3/8", "al", "mare"]) == (Day(3, 8), ["al", "mare"])


def test_29_february_of_a_year_that_has_none() -> None:
    assert on("29 Feb 2027") is None


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)))
def test_every_day_is_read_back_in_every_way_of_writing(day: date) -> None:
    for written in (
        f"{day:%d %B %Y}",
        f"{day:%B %d, %Y}",
        f"{day:%Y-%m-%d}",
        f"{day.day}/{day.month}/{day.year}",
    ):
        assert on(written) == day


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.dates(date(2000, 1, 1), date(2080, 1, 1)))
def test_without_a_year_it_is_never_in_the_past(day: date, today: date) -> None:
    found = on(f"{day:%d %B}", today)
    assert found is not None
    assert found >= today
    assert (found.month, found.day) == (day.month, day.day)


@given(st.text(max_size=30))
def test_nothing_that_anybody_types_is_an_error(text: str) -> None:
    on(text)


def test_a_day_without_its_month_is_the_next_that_a_month_has() -> None:
    assert on("the 31st", date(2027, 2, 1)) == date(2027, 3, 31)
    assert on("the 30th", date(2026, 12, 31)) == date(2027, 1, 30)
    assert on("the 32nd") is None
