"""Dates are written in one way in each language."""

from datetime import UTC, date, datetime

from django.utils.formats import date_format
from django.utils.translation import override

from pbem.outbox.rendering.dates import day, moment, weekday, when


def test_a_language_writes_days_and_months_in_its_own_way() -> None:
    first, second = datetime(2026, 12, 1, 9, tzinfo=UTC), datetime(2026, 12, 2, 9, tzinfo=UTC)
    with override("it"):
        assert moment(first).startswith("martedì 1º dicembre 2026, ")
        assert when(date(2026, 12, 2)) == "mercoledì 2 dicembre 2026"
        assert weekday(first) == "Martedì 1º dicembre"
        assert day(second) == date_format(second) == "2 dicembre 2026"
        assert date_format(second, "DATETIME_FORMAT") == "mercoledì 2 dicembre 2026, 09:00"
    with override("en"):
        assert moment(first).startswith("Tuesday 1 December 2026, ")
        assert weekday(second) == "Wednesday 2 December"
