"""How much a player may be away: so many days of each calendar year, by the clock on their wall."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.players.calendar import Interval

NOTHING = timedelta()


def left(absences: Iterable[Interval], *, year: int, zone: str, days: int) -> timedelta:
    """What is left of the `days` of a year; below nothing where they do not suffice.

    On the wall a day has 24 hours even when clocks are put forward or back, so that thirty days are thirty days.
    """
    begin, end = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 - on the wall
    walls = sorted((_wall(since, zone), _wall(until, zone)) for since, until in absences)
    taken, covered = NOTHING, begin
    for since, until in walls:
        since, until = max(since, covered), min(until, end)
        taken += max(until - since, NOTHING)
        covered = max(covered, until)
    return timedelta(days=days) - taken


def years(since: datetime, until: datetime, zone: str) -> range:
    """The calendar years that an absence touches."""
    last = _wall(until, zone) - timedelta(microseconds=1)
    return range(_wall(since, zone).year, last.year + 1)


def _wall(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
