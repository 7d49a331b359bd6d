"""When the service was away: a row of the ledger that counts for every clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.models import Match, Outage, Part, Reason, Stoppage
from pbem.matches.time.recounting import recount_all

# A mail server that found us away tries again after a pause, the longer the longer its letter has waited.
# Postfix: from 5 to 67 minutes (minimal_backoff_time, maximal_backoff_time). Exim: a quarter of an hour for
# two hours, then up to six hours. What it brings then was not late through any fault of its writer.
#   away for up to          they are back within
COMING_BACK = (
    (timedelta(minutes=30), timedelta(minutes=40)),
    (timedelta(hours=2), timedelta(minutes=75)),
    (timedelta.max, timedelta(hours=6)),
)


def coming_back(away: timedelta) -> timedelta:
    """How long after an outage letters that should have come in it still arrive."""
    return next(pause for longest, pause in COMING_BACK if away <= longest)


@transaction.atomic
def write(since: datetime, until: datetime, *, part: Part, now: datetime) -> None:
    """This part was away: no clock ran then, nor while what found it away was coming back. Once, however often told."""
    _, is_new = Outage.objects.get_or_create(
        part=part, since=since, why=Reason.OUTAGE, match=None, defaults={"until": until, "created_at": now}
    )
    if is_new:
        _come_back(since, until, part, now)
        recount_all(Match.objects.all(), since)


@transaction.atomic
def credit_gap(since: datetime, until: datetime, *, why: str = Reason.RESTORE, now: datetime) -> int:
    """What happened in a time is lost, and no clock ran in it, nor while letters come again; how many matches it
    concerns. The same gap is written once."""
    if not since < until or Outage.objects.filter(since=since, until=until, why=why).exists():
        return 0
    Outage.objects.create(since=since, until=until, why=why, created_at=now)
    _come_back(since, until, None, now)
    return recount_all(Match.objects.all(), since)


@transaction.atomic
def end(part: Part, now: datetime) -> None:
    """The machine's clock was ahead: what was written for a time that is yet to come never was."""
    rows = list(Outage.objects.filter(part=part, why=Reason.OUTAGE, until__gt=now))
    if not rows:
        return
    for row in rows:
        assert row.until is not None
        Stoppage.objects.filter(match=None, why=Reason.TRANSIT, part=part, since=row.until).delete()
        Stoppage.objects.filter(pk=row.pk).delete()
        if row.since < now:
            write(row.since, now, part=part, now=now)
    recount_all(Match.objects.all(), min(row.since for row in rows))


def _come_back(since: datetime, until: datetime, part: Part | None, now: datetime) -> None:
    Stoppage.objects.create(
        since=until,
        until=until + coming_back(until - since),
        why=Reason.TRANSIT,
        part=part or "",
        created_at=now,
    )
