"""So many days of absence a year, counted once, and in the year in which they lie."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.players.calendar import left, years

DAY = timedelta(days=1)


def rome(month: int, day: int, hour: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=ZoneInfo("Europe/Rome")).astimezone(UTC)


def of_2026(*absences: tuple[datetime, datetime], year: int = 2026) -> timedelta:
    return left(absences, year=year, zone="Europe/Rome", days=30)


def test_who_was_never_away_has_all() -> None:
    assert of_2026() == 30 * DAY


def test_days_are_counted_by_the_clock_on_the_wall() -> None:
    """The night of 29 March has an hour less, that of 25 October an hour more."""
    assert of_2026((rome(3, 25), rome(4, 1))) == 23 * DAY
    assert of_2026((rome(10, 20), rome(10, 30))) == 20 * DAY


def test_what_two_absences_cover_is_taken_once() -> None:
    assert of_2026((rome(8, 3), rome(8, 10)), (rome(8, 8), rome(8, 12)), (rome(8, 4), rome(8, 5))) == 21 * DAY


def test_new_year_ends_a_year() -> None:
    turn = rome(12, 30), rome(1, 5, year=2027)
    assert of_2026(turn) == 28 * DAY
    assert of_2026(turn, year=2027) == 26 * DAY
    assert years(*turn, "Europe/Rome") == range(2026, 2028)
    assert years(rome(12, 30), rome(1, 1, year=2027), "Europe/Rome") == range(2026, 2027)


moments = st.datetimes(datetime(2025, 11, 1), datetime(2027, 2, 1), timezones=st.just(UTC))  # noqa: DTZ001
absences = st.lists(st.tuples(moments, st.timedeltas(timedelta(), 60 * DAY)), max_size=5)


@pytest.mark.prove
@given(absences)
def test_the_same_as_counting_hour_by_hour(drawn: list[tuple[datetime, timedelta]]) -> None:
    """In UTC, and to the hour, so that it can be counted."""
    hours = [(since.replace(minute=0, second=0, microsecond=0), length) for since, length in drawn]
    away = [(since, since + timedelta(hours=length // timedelta(hours=1))) for since, length in hours]
    year = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour) for hour in range(365 * 24))
    taken = sum(any(since <= hour < until for since, until in away) for hour in year)
    assert left(away, year=2026, zone="UTC", days=30) == 30 * DAY - timedelta(hours=taken)
