"""The organiser stops the clocks of a match, and lets them go on."""

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

ORGANISER = "organiser"  # why a clock is stopped


def is_stopped(match: Match) -> bool:
    return ORGANISER in match.stopped


@transaction.atomic
def stop(match: Match, *, reason: str, now: datetime) -> Event:
    """Both clocks rest until `go_on`; anyone who likes may move all the same. Refuses D12 (they rest already)."""
    check_playing(match)
    if is_stopped(match):
        raise Refused(Code.STOPPED_ALREADY, match=match)
    clocks.stop(match, now, ORGANISER)
    return record_event(match, Event.Kind.STOPPED, now=now, reason=reason)


@transaction.atomic
def go_on(match: Match, *, reason: str, now: datetime) -> Event:
    """The clock of the player to move runs again, from where it stood. Refuses D13 (it was not stopped)."""
    check_playing(match)
    if not is_stopped(match):
        raise Refused(Code.NOT_STOPPED, match=match)
    clocks.go_on(match, now, ORGANISER)
    return record_event(match, Event.Kind.RESUMED, now=now, reason=reason)


# A pause that both players agreed on: their match rests until a day, and anyone who likes may move
# all the same.

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
def end_pause(pk: int, *, now: datetime) -> None:
    """The pause is over."""
    match = Match.objects.filter(pk=pk, paused_until__lte=now).locked().first()
    if match is None:
        return
    match.paused_until = None
    match.save(update_fields=["paused_until"])
    clocks.go_on(match, now, AGREED)
    if match.status == Match.Status.PLAYING:
        record_event(match, Event.Kind.RESUMED, now=now)


# Time that a player gives the other.

MOST = timedelta(days=30)  # at once


@transaction.atomic
def give(seat: Seat, lasting: timedelta, *, now: datetime, letter: int | None = None) -> None:
    """Refuses G11 and the like (not being played), K02 (no clock), K13 (as was agreed) and K18 (not so much)."""
    match = seat.match
    check_playing(match)
    if match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=match)
    if not match.agreed.gifts:
        raise Refused(Code.NO_GIFTS, match=match)
    if not timedelta() < lasting <= MOST:
        raise Refused(Code.BAD_GIFT, match=match)
    clocks.give(seat.opponent, lasting, now)
    hours = int(lasting / timedelta(hours=1))
    record_event(match, Event.Kind.GAVE, now=now, side=seat.side, letter=letter, hours=hours)


# The organiser gives a player more time: for a flood, a broken relay, a letter that was lost.


@transaction.atomic
def extend(seat: Seat, lasting: timedelta, *, reason: str, now: datetime) -> Event:
    """Above the cap if need be; whose time was over goes on with just that. Refuses K02 (nobody's time is limited)."""
    check_playing(seat.match)
    if seat.match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=seat.match)
    clocks.give(seat, lasting, now)
    hours = int(lasting / timedelta(hours=1))
    return record_event(seat.match, Event.Kind.EXTENDED, now=now, seat=seat.side, hours=hours, reason=reason)
