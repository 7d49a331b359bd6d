"""Days on which all clocks stand still: announced, or taken back, before they begin anywhere."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction

from pbem.matches.clock.recalculation import recount_all
from pbem.matches.models import Match
from pbem.players.calendar import DAY
from pbem.players.models import Holiday
from pbem.refusals import Code, Refused

EARLIEST = timedelta(hours=14)  # so long before midnight UTC a day begins on the Line Islands


@transaction.atomic
def keep(day: date, *, now: datetime) -> Holiday:
    """Nobody's clock runs on this day, where it was not agreed otherwise. Refuses K08 (it may have begun)."""
    _check_ahead(day, now)
    holiday, _ = Holiday.objects.get_or_create(day=day)
    _move_deadlines(day)
    return holiday


@transaction.atomic
def take_back(holiday: Holiday, *, now: datetime) -> None:
    """It is a day like any other. Refuses K08 (it may have begun)."""
    _check_ahead(holiday.day, now)
    Holiday.objects.filter(pk=holiday.pk).delete()
    _move_deadlines(holiday.day)


def _check_ahead(day: date, now: datetime) -> None:
    if now >= _begins(day):
        raise Refused(Code.HOLIDAY_TOO_NEAR)


def _move_deadlines(day: date) -> None:
    """Of the clocks that may run until then; what has elapsed so far is not touched."""
    recount_all(Match.objects.filter(deadline__gte=_begins(day) - DAY), _begins(day) - DAY)


def _begins(day: date) -> datetime:
    """Where it begins first."""
    return datetime.combine(day, time(), UTC) - EARLIEST
