"""Signs of life: they show when the service was away, and no player's clock pays for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from pbem.matches.models import Heartbeat, Match, Outage, Part
from pbem.matches.time.deadlines import credit
from pbem.prepared import prepared

MINUTE = timedelta(minutes=1)
GAP = timedelta(minutes=5)  # without a sign of life this long, the service was away
KEPT = timedelta(days=40)
# Who was away for longer than other mail servers go on trying (RFC 5321, 4.5.4.1) has been put out of service.
GIVEN_UP = timedelta(days=7)

# A mail server that found us away tries again after a pause, the longer the longer its letter has waited.
# Postfix: from 5 to 67 minutes (minimal_backoff_time, maximal_backoff_time). Exim: a quarter of an hour for
# two hours, then up to six hours. What it brings then was not late through any fault of its writer.
#   away for up to          they are back within
COMING_BACK = (
    (timedelta(minutes=30), timedelta(minutes=40)),
    (timedelta(hours=2), timedelta(minutes=75)),
    (timedelta.max, timedelta(hours=6)),
)


@transaction.atomic
def beat(part: Part, *, now: datetime) -> None:
    """Write down that this part lives; if it was away, credit the clocks in the same transaction."""
    last = _last(part, now)
    minute = now.replace(second=0, microsecond=0)
    Heartbeat.objects.get_or_create(part=part, minute=minute, defaults={"beat_at": now})
    if last is not None and now - last > GAP:
        _credit(part, last, now)
    Heartbeat.objects.filter(part=part, minute__lt=now - KEPT).delete()


def wake(part: Part, *, now: datetime) -> None:
    """Beat, if this part has been silent: before it does anything that depends on a deadline."""
    last = _last(part, now)
    if last is None or now - last > GAP:
        beat(part, now=now)


def alive_until(now: datetime) -> datetime | None:
    """Until then every part that is in service lived, or was credited for; None while nobody knows.

    What came to a door that died a moment after its last beat is not here, and nobody knows yet that it died;
    nor is what came to a mailbox since it was last emptied.
    """
    worker = _last(Part.WORKER, now)
    doors = [Part.DOOR, Part.MAILBOX] if settings.IMAP_URL else [Part.DOOR]
    beats = [last for door in doors if (last := _last(door, now)) and now - last <= GIVEN_UP]
    return None if worker is None else min([worker, *beats])


def silent(now: datetime) -> bool:
    """Whether some part is away at this moment, so that a letter may wait outside."""
    alive = alive_until(now)
    return alive is not None and now - alive > GAP


def coming_back(away: timedelta) -> timedelta:
    """How long after an outage letters that should have come in it still arrive."""
    return next(pause for longest, pause in COMING_BACK if away <= longest)


def _last(part: Part, now: datetime) -> datetime | None:
    """The last beat that was not after `now`: a clock that was set back has seen the future."""
    return next(iter(_beats(part.value, now)), None)


@prepared
def _beats(part: str, now: datetime) -> QuerySet[Heartbeat, datetime]:
    beats = Heartbeat.objects.filter(part=part, beat_at__lte=now).order_by("-minute")
    return beats.values_list("beat_at", flat=True)[:1]


def _credit(part: Part, since: datetime, until: datetime) -> None:
    """Give the clocks that ran in the outage what was lost, but for what another part's outage gave them."""
    running = Match.objects.filter(deadline__gte=since)
    # Two parts that come back together: the second waits here until the first has written its outage.
    list(running.timed().locked().values_list("pk"))
    outage, is_new = Outage.objects.get_or_create(part=part, since=since, defaults={"until": until})
    if not is_new:
        return
    for begin, end, lost in _lost(outage):
        outage.credited = lost + (coming_back(until - since) if lost > GAP else timedelta())
        credit(running.filter(deadline__gte=begin, deadline__lt=end), outage.credited)
    outage.save(update_fields=["credited"])  # the most that a clock got


def _lost(outage: Outage) -> Iterator[tuple[datetime, datetime, timedelta]]:
    """From the latest deadlines to the earliest: what those between two moments have lost and not got yet.

    A shorter outage within this one gave nothing to clocks that had run out when it began.
    """
    credited = list(Outage.objects.overlapping(outage.since, outage.until).exclude(pk=outage.pk))
    end = datetime.max.replace(tzinfo=UTC)
    for begin in sorted({outage.since, *(o.since for o in credited if o.since > outage.since)}, reverse=True):
        pieces = _uncovered(outage.since, outage.until, [o for o in credited if o.since <= begin])
        yield begin, end, sum(pieces, timedelta())
        end = begin


def _uncovered(since: datetime, until: datetime, others: Iterable[Outage]) -> Iterator[timedelta]:
    """The pieces of a time that lie in none of the other outages, which come by their beginning."""
    for other in others:
        if other.since > since:
            yield other.since - since
        since = max(since, other.until)
    if until > since:
        yield until - since
