"""Signs of life: they show when the service was away, and no player's clock pays for that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet

from pbem.matches.clock import outages, sweeps
from pbem.matches.models import Component, Heartbeat, Outage
from pbem.queue.compiled_query import compiled_query

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
        sweeps.expected(now=now)
    if last is not None and now - last > GAPS.get(component, GAP):
        outages.write(last, now, component=component, now=now)
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
        outages.end(component, now)
