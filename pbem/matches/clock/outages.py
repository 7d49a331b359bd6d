"""Outages of the service: heartbeats, and rows of the ledger that stop every clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet

from pbem.matches.clock.recalculation import recount_all, recount_soon
from pbem.matches.models import Component, ExemptInterval, Heartbeat, Match, Outage, Reason, Sweep
from pbem.matches.models.exempt_interval import ExemptIntervalQuerySet
from pbem.players.calendar import Interval
from pbem.queue.sql import compiled_query

# Retries of mail servers: longer pauses for older letters. Postfix: from 5 to 67 minutes
# (minimal_backoff_time, maximal_backoff_time). Exim: 15 minutes for two hours, then up to six hours. Letters
# that were delayed so are not late.
#   away for up to          they are back within
COMING_BACK = (
    (timedelta(minutes=30), timedelta(minutes=40)),
    (timedelta(hours=2), timedelta(minutes=75)),
    (timedelta.max, timedelta(hours=6)),
)
# Outages are looked back at for this long.
LOOKED_BACK = timedelta(days=2)
# Deadlines further away than this are recomputed later.
SOON = timedelta(days=1)


def coming_back(away: timedelta) -> timedelta:
    """Returns how long after an outage of this length delayed letters may still arrive."""
    return next(pause for longest, pause in COMING_BACK if away <= longest)


def still_coming(outages: Iterable[Interval]) -> list[datetime]:
    """Returns until when delayed letters arrive after each outage, the earliest first."""
    # A letter that meets another outage before its retry has waited since the first one, and its next pause
    # is as long.
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
    """Records an outage of a component, once: no clock ran then, nor while delayed letters arrived."""
    # Matches short of time are recomputed now, others later: until then their deadlines are too early.
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
    """Excludes a lost time, and that of delayed letters, from all clocks, once. Returns how many matches."""
    if not since < until or Outage.objects.filter(since=since, until=until, why=why).exists():
        return 0
    Outage.objects.create(since=since, until=until, why=why, created_at=now)
    _come_back(since, now)
    return recount_all(Match.objects.all(), since)


@transaction.atomic
def end(component: Component, now: datetime) -> None:
    """Removes outages that a fast machine clock dated into the future, and recomputes all matches at once."""
    # A deadline that is too late would admit late moves.
    rows = list(Outage.objects.filter(component=component, why=Reason.OUTAGE, until__gt=now))
    if not rows:
        return
    first = min(row.since for row in rows)
    _letters().filter(since__gt=first).delete()
    ExemptInterval.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        if row.since < now:
            Outage.objects.create(
                component=component, since=row.since, until=now, why=Reason.OUTAGE, created_at=now
            )
    _come_back(first, now)
    recount_all(Match.objects.all(), first)


def _come_back(since: datetime, now: datetime) -> None:
    """Records the time for delayed letters after each outage that lasted beyond `since`."""
    rows = list(Outage.objects.filter(until__gt=since - LOOKED_BACK).order_by("since", "pk"))
    known = {(row.component, row.since): row for row in _letters().filter(since__gt=since)}
    moments = still_coming((row.since, row.until) for row in rows if row.until)
    for outage, until in zip(rows, moments, strict=True):
        begin = outage.until
        if begin is None or begin <= since:
            continue
        row = known.get((outage.component, begin))
        if row is None:
            row = known[outage.component, begin] = ExemptInterval(
                since=begin, until=begin, why=Reason.TRANSIT, component=outage.component, created_at=now
            )
        if row.until is None or row.until < until:
            row.until = until
            row.save()


def _letters() -> ExemptIntervalQuerySet:
    return ExemptInterval.objects.filter(match=None, why=Reason.TRANSIT)


# Sweeps: worker heartbeats do not show that beat or a sweep hangs

SWEEPS = ("inbox", "outbox", "clocks", "deadlines", "robots")  # as named in CELERY_BEAT_SCHEDULE
LATE = 8 * settings.SWEEP_SECONDS  # sweeps may be slow, or the machine busy


def done(name: str, *, now: datetime) -> None:
    Sweep.objects.bulk_create(
        [Sweep(name=name, done_at=now)],
        update_conflicts=True,
        update_fields=["done_at"],
        unique_fields=["name"],
    )


def expected(*, now: datetime) -> None:
    """Counts sweeps that were never done as missed from now on; called when a worker starts."""
    Sweep.objects.bulk_create([Sweep(name=name, done_at=now) for name in SWEEPS], ignore_conflicts=True)


# Heartbeats

MINUTE = timedelta(minutes=1)
PERIOD = timedelta(seconds=20)
GAP = MINUTE  # without a heartbeat for longer, the service was away
# A mailbox beats when it is polled, sometimes every few minutes.
GAPS: Mapping[Component, timedelta] = {Component.MAILBOX: timedelta(minutes=5)}
SILENT = timedelta(minutes=5)  # then letters may be waiting outside
WAKING = timedelta(minutes=5)  # after a sleep or a start; other components may need as long
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
KEPT = timedelta(days=40)
# Components away for longer than mail servers retry (RFC 5321, 4.5.4.1) are out of service.
GIVEN_UP = timedelta(days=7)
_seen: dict[Component, datetime] = {}  # the last beat that this process has read, by component


@transaction.atomic
def beat(component: Component, *, now: datetime, starts: bool = False) -> None:
    """Records a heartbeat; after a gap, also the outage, in the same transaction.

    `starts`: a process has started. Recorded only for a component without earlier beats.
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


def record_heartbeat(component: Component, *, now: datetime) -> None:
    """Beats, unless the component has just done so. Called before a deadline is acted on."""
    seen = _seen.get(component)
    if seen is not None and seen <= now < seen + PERIOD:
        return
    last = _last(component, now)
    if last is None or now - last >= PERIOD:
        beat(component, now=now)
    else:
        _seen[component] = last


def forget() -> None:
    """Drops the cached beats."""
    _seen.clear()


def held_since(now: datetime) -> datetime | None:
    """Deadlines after this moment are not enforced yet. None when no deadline is held."""
    # A component has just started or was away a moment ago, and others may be about to find out that they
    # were.
    # Deadlines well before that are enforced: frequent sleeps would otherwise hold them for ever. A process
    # that took over at once holds none.
    lately = now - WAKING
    if Heartbeat.objects.filter(starts=True, beat_at__gt=lately, beat_at__lte=now).exists():
        return LONG_AGO
    gaps = Outage.objects.filter(until__gt=lately, until__lte=now)
    asleep: datetime | None = gaps.aggregate(since=Min("since"))["since"]
    return asleep - WAKING if asleep else None


def up_until(now: datetime) -> datetime | None:
    """Returns until when all components in service lived, or were credited. None when unknown."""
    # Letters are missing that came to a mail door that died just after its last beat, or to a mailbox since
    # its last poll.
    worker = _last(Component.WORKER, now)
    return None if worker is None else min([worker, *_in_service(_doors(), now).values()])


def asleep_since(now: datetime) -> datetime | None:
    """Returns since when a component has been away at `now`. None when all are alive."""
    # No clock has run since; the ledger records it when the component is back.
    beats = _in_service([Component.WORKER, *_doors()], now)
    return min(
        (last for component, last in beats.items() if now - last > GAPS.get(component, GAP)), default=None
    )


def is_down(now: datetime) -> bool:
    """Returns whether a component is away now, so that letters may be waiting outside."""
    alive = up_until(now)
    return alive is not None and now - alive > SILENT


def _doors() -> list[Component]:
    return [Component.DOOR, Component.MAILBOX] if settings.IMAP_URL else [Component.DOOR]


def _in_service(parts: Iterable[Component], now: datetime) -> dict[Component, datetime]:
    """Returns the last beat of each component in service."""
    return {
        component: last for component in parts if (last := _last(component, now)) and now - last <= GIVEN_UP
    }


def _last(component: Component, now: datetime) -> datetime | None:
    """Returns the last beat up to `now`. None without one."""
    # A clock that was set back leaves beats in the future.
    return next(iter(_beats(component.value, now)), None)


@compiled_query
def _beats(component: str, now: datetime) -> QuerySet[Heartbeat, datetime]:
    beats = Heartbeat.objects.filter(component=component, beat_at__lte=now).order_by("-minute")
    return beats.values_list("beat_at", flat=True)[:1]


def _forget_the_future(component: Component, now: datetime) -> None:
    """Deletes beats in the future after the machine's clock was corrected: they would hide missing ones."""
    # Other components may run on another machine, with another clock.
    if Heartbeat.objects.filter(component=component, beat_at__gt=now + GAP).delete()[0]:
        end(component, now)
