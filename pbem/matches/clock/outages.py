"""When the service was away: a row of the ledger that counts for every clock."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock.recalculation import recount_all, recount_soon
from pbem.matches.models import Component, Match, Outage, Reason, Stoppage
from pbem.matches.models.stoppage import StoppageQuerySet
from pbem.players.calendar import Interval

# A mail server that found us away tries again after a pause, the longer the longer its letter has waited.
# Postfix: from 5 to 67 minutes (minimal_backoff_time, maximal_backoff_time). Exim: a quarter of an hour for
# two hours, then up to six hours. What it brings then was not late through any fault of its writer.
#   away for up to          they are back within
COMING_BACK = (
    (timedelta(minutes=30), timedelta(minutes=40)),
    (timedelta(hours=2), timedelta(minutes=75)),
    (timedelta.max, timedelta(hours=6)),
)
# Who was away again and again for longer than this need not be looked at from the first time on.
LOOKED_BACK = timedelta(days=2)
# What the clocks of matches that are not over so soon come to is worked out a little later.
SOON = timedelta(days=1)


def coming_back(away: timedelta) -> timedelta:
    """How long after an outage letters that should have come in it still arrive."""
    return next(pause for longest, pause in COMING_BACK if away <= longest)


def still_coming(outages: Iterable[Interval]) -> list[datetime]:
    """Until when letters come that should have come in each of these, the earliest first.

    What finds us away once more before it is back has waited since the outage before, and its next pause is as long.
    """
    moments: list[datetime] = []
    first = over = None
    for since, until in outages:
        if first is None or over is None or since > over:
            first = over = since
        moments.append(until + coming_back(until - first))
        over = max(over, moments[-1])
    return moments


@transaction.atomic
def write(since: datetime, until: datetime, *, component: Component, now: datetime) -> None:
    """This part was away: no clock ran then, nor while what found it away was coming back. Once, however often told.

    Now for anyone who may be short of time, a little later for the others: until then their deadlines are too early.
    """
    row, is_new = Outage.objects.get_or_create(
        component=component,
        since=since,
        why=Reason.OUTAGE,
        match=None,
        defaults={"until": until, "created_at": now},
    )
    if is_new:
        _come_back(since, now)
        longest = COMING_BACK[-1][1]
        recount_soon(row, now + (until - since) + longest + SOON)


@transaction.atomic
def credit_gap(since: datetime, until: datetime, *, why: str = Reason.RESTORE, now: datetime) -> int:
    """What happened in a time is lost, and no clock ran in it, nor while letters come again; how many matches it
    concerns. The same gap is written once."""
    if not since < until or Outage.objects.filter(since=since, until=until, why=why).exists():
        return 0
    Outage.objects.create(since=since, until=until, why=why, created_at=now)
    _come_back(since, now)
    return recount_all(Match.objects.all(), since)


@transaction.atomic
def end(component: Component, now: datetime) -> None:
    """The machine's clock was ahead: what was written for a time that is yet to come never was.

    Of all matches at once, however many there are: a deadline that is too late would let anyone who is late play.
    """
    rows = list(Outage.objects.filter(component=component, why=Reason.OUTAGE, until__gt=now))
    if not rows:
        return
    first = min(row.since for row in rows)
    _letters().filter(since__gt=first).delete()
    Stoppage.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        if row.since < now:
            Outage.objects.create(
                component=component, since=row.since, until=now, why=Reason.OUTAGE, created_at=now
            )
    _come_back(first, now)
    recount_all(Match.objects.all(), first)


def _come_back(since: datetime, now: datetime) -> None:
    """The time for letters after each outage that lasted until after `since`."""
    rows = list(Outage.objects.filter(until__gt=since - LOOKED_BACK).order_by("since", "pk"))
    known = {(row.component, row.since): row for row in _letters().filter(since__gt=since)}
    moments = still_coming((row.since, row.until) for row in rows if row.until)
    for outage, until in zip(rows, moments, strict=True):
        begin = outage.until
        if begin is None or begin <= since:
            continue
        row = known.get((outage.component, begin))
        if row is None:
            row = known[outage.component, begin] = Stoppage(
                since=begin, until=begin, why=Reason.TRANSIT, component=outage.component, created_at=now
            )
        if row.until is None or row.until < until:
            row.until = until
            row.save()


def _letters() -> StoppageQuerySet:
    return Stoppage.objects.filter(match=None, why=Reason.TRANSIT)
