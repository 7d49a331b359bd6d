"""Dates are written in one way in each language."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils.formats import date_format
from django.utils.timezone import override as timezone
from django.utils.translation import override
from pytest_django import Settings

from pbem.outbox.rendering.durations import day, due, moment, weekday, when


def test_a_language_writes_days_and_months_in_its_own_way() -> None:
    first, second = datetime(2026, 12, 1, 9, tzinfo=UTC), datetime(2026, 12, 2, 9, tzinfo=UTC)
    with override("it"):
        assert moment(first).startswith("martedì 1º dicembre 2026, ")
        assert when(date(2026, 12, 2)) == "mercoledì 2 dicembre 2026"
        assert weekday(first) == "Martedì 1º dicembre"
        assert day(second) == "2 dicembre 2026"
        assert date_format(first) == "01/12/2026"  # in figures: no format says 1º
    with override("en"):
        assert moment(first).startswith("Tuesday 1 December 2026, ")
        assert weekday(second) == "Wednesday 2 December"


@pytest.mark.parametrize(
    ("site", "said"),
    [
        ("UTC", "09:00 UTC ("),
        ("Europe/Rome", "11:00 Rome time ("),
        ("America/New_York", "05:00 New York time ("),
    ],
)
def test_a_deadline_says_whose_time_it_is_where_nobody_has_told_theirs(
    settings: Settings, site: str, said: str
) -> None:
    settings.TIME_ZONE = site
    now = datetime(2026, 5, 4, 9, tzinfo=UTC)
    with override("en"), timezone(site):
        assert said in due(now + timedelta(days=3), now)
        assert said.removesuffix(" (") in when(now)
