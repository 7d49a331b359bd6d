"""A pause that both players agreed on: their match rests until a day, and anyone who likes may move all the same."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import is_late
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.matches.plies import check_playing
from pbem.refusals import Code, Refused

LONGEST = 60  # days
AGREED = "agreed"  # why the clock is stopped
SWEPT = 500  # at a time


def check(seat: Seat, days: int) -> None:
    """Refuses G02 and the like (not being played), K02 (no clock), K11 (no such length), K12 (not to be paused)."""
    check_playing(seat.match)
    if seat.match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=seat.match)
    if not 1 <= days <= LONGEST:
        raise Refused(Code.BAD_PAUSE, match=seat.match)
    if not seat.match.agreed.absence:
        raise Refused(Code.NO_ABSENCE, match=seat.match)


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """The opponent agrees, and no clock has run since their letter `arrived`. Refuses G07 if time was over by then."""
    match = seat.match
    if match.flagged_at is not None or is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)
    clocks.stop(match, arrived, AGREED)
    match.paused_until = now + timedelta(days=offer.facts["days"])
    match.save(update_fields=["paused_until"])
    record_event(
        match,
        Event.Kind.PAUSED,
        now=now,
        side=seat.side,
        letter=letter,
        days=offer.facts["days"],
        until=match.paused_until.isoformat(),
    )


def ended(now: datetime) -> Iterable[int]:
    """The matches whose pause is over."""
    over = Match.objects.filter(paused_until__isnull=False, paused_until__lte=now).order_by("paused_until")
    return list(over.values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def go_on(pk: int, *, now: datetime) -> None:
    """The pause is over."""
    match = Match.objects.filter(pk=pk, paused_until__lte=now).locked().first()
    if match is None:
        return
    match.paused_until = None
    match.save(update_fields=["paused_until"])
    clocks.go_on(match, now, AGREED)
    if match.status == Match.Status.PLAYING:
        record_event(match, Event.Kind.RESUMED, now=now)
