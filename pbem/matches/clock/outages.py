"""When the service was away: a row of the ledger that counts for every clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet

from pbem.matches.clock.recalculation import recount_all, recount_soon
from pbem.matches.models import Component, Heartbeat, Match, Outage, Reason, Stoppage, Sweep
from pbem.matches.models.stoppage import StoppageQuerySet
from pbem.players.calendar import Interval
from pbem.queue.sql import compiled_query

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


# When each sweep was last done: signs of life of a worker say nothing of beat, nor of who hangs.

SWEEPS = ("inbox", "outbox", "clocks", "deadlines", "robots")  # as CELERY_BEAT_SCHEDULE calls them
LATE = 8 * settings.SWEEP_SECONDS  # one may take a while, or find the machine busy


def done(name: str, *, now: datetime) -> None:
    Sweep.objects.bulk_create(
        [Sweep(name=name, done_at=now)],
        update_conflicts=True,
        update_fields=["done_at"],
        unique_fields=["name"],
    )


def expected(*, now: datetime) -> None:
    """A worker has begun: from now on those that were never done are missed."""
    Sweep.objects.bulk_create([Sweep(name=name, done_at=now) for name in SWEEPS], ignore_conflicts=True)


# Signs of life: they show when the service was away, and no player's clock pays for that.

MINUTE = timedelta(minutes=1)
PERIOD = timedelta(seconds=20)
GAP = MINUTE  # without a sign of life for longer than this, the service was away
# A mailbox is alive when it is looked into, and some are looked into every few minutes.
GAPS: Mapping[Component, timedelta] = {Component.MAILBOX: timedelta(minutes=5)}
SILENT = timedelta(minutes=5)  # then somebody may write, and not be heard
WAKING = timedelta(minutes=5)  # after a sleep or a start; so long may others need who slept as well
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
KEPT = timedelta(days=40)
# Who was away for longer than other mail servers go on trying (RFC 5321, 4.5.4.1) has been put out of service.
GIVEN_UP = timedelta(days=7)
_seen: dict[Component, datetime] = {}  # the last beat of each that this process has found


@transaction.atomic
def beat(component: Component, *, now: datetime, starts: bool = False) -> None:
    """Write down that this part lives; if it was away, no clock has run since, by the same transaction.

    `starts`: a process has begun. That is told of a component that nobody knew: of any other the beats say more.
    """
    _forget_the_future(component, now)
    last, minute = _last(component, now), now.replace(second=0, microsecond=0)
    values = {"beat_at": now} | ({"starts": True} if starts and last is None else {})
    row, is_new = Heartbeat.objects.get_or_create(component=component, minute=minute, defaults=values)
    if not is_new:
        Heartbeat.objects.filter(pk=row.pk).update(**values)
    if starts:
        expected(now=now)
    if last is not None and now - last > GAPS.get(component, GAP):
        write(last, now, component=component, now=now)
    if is_new:
        Heartbeat.objects.filter(component=component, minute__lt=now - KEPT).delete()


def wake(component: Component, *, now: datetime) -> None:
    """Beat, unless this part has just done so: work is a sign of life, and comes before what a deadline decides."""
    seen = _seen.get(component)
    if seen is not None and seen <= now < seen + PERIOD:
        return
    last = _last(component, now)
    if last is None or now - last >= PERIOD:
        beat(component, now=now)
    else:
        _seen[component] = last


def forget() -> None:
    """The rows are others than a moment ago."""
    _seen.clear()


def held_since(now: datetime) -> datetime | None:
    """Nobody's time that was over from then on is over yet; None: nobody's is held.

    Some component has just begun, or was away a moment ago, and others may be about to find out that they were. What
    was over well before it fell asleep does not wait: who falls asleep again and again would hold it for ever. Nor does
    anything for a process that took over from another one at once.
    """
    lately = now - WAKING
    if Heartbeat.objects.filter(starts=True, beat_at__gt=lately, beat_at__lte=now).exists():
        return LONG_AGO
    gaps = Outage.objects.filter(until__gt=lately, until__lte=now)
    asleep: datetime | None = gaps.aggregate(since=Min("since"))["since"]
    return asleep - WAKING if asleep else None


def alive_until(now: datetime) -> datetime | None:
    """Until then every part that is in service lived, or was credited for; None while nobody knows.

    What came to a door that died a moment after its last beat is not here, and nobody knows yet that it died;
    nor is what came to a mailbox since it was last emptied.
    """
    worker = _last(Component.WORKER, now)
    return None if worker is None else min([worker, *_in_service(_doors(), now).values()])


def asleep_since(now: datetime) -> datetime | None:
    """Since when some part had been away by then: no clock has run since. The ledger says so once that part is back."""
    beats = _in_service([Component.WORKER, *_doors()], now)
    return min(
        (last for component, last in beats.items() if now - last > GAPS.get(component, GAP)), default=None
    )


def silent(now: datetime) -> bool:
    """Whether some part is away at this moment, so that a letter may wait outside."""
    alive = alive_until(now)
    return alive is not None and now - alive > SILENT


def _doors() -> list[Component]:
    return [Component.DOOR, Component.MAILBOX] if settings.IMAP_URL else [Component.DOOR]


def _in_service(parts: Iterable[Component], now: datetime) -> dict[Component, datetime]:
    """When each was last heard of."""
    return {
        component: last for component in parts if (last := _last(component, now)) and now - last <= GIVEN_UP
    }


def _last(component: Component, now: datetime) -> datetime | None:
    """The last beat that was not after `now`: a clock that was set back has seen the future."""
    return next(iter(_beats(component.value, now)), None)


@compiled_query
def _beats(component: str, now: datetime) -> QuerySet[Heartbeat, datetime]:
    beats = Heartbeat.objects.filter(component=component, beat_at__lte=now).order_by("-minute")
    return beats.values_list("beat_at", flat=True)[:1]


def _forget_the_future(component: Component, now: datetime) -> None:
    """The machine's clock was ahead, and is right again: signs of life yet to come would hide that they are missing.

    Another component may have another machine, whose clock is not ours.
    """
    if Heartbeat.objects.filter(component=component, beat_at__gt=now + GAP).delete()[0]:
        end(component, now)
