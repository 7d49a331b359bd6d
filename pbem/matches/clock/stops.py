"""Stops and extra time: by the organiser, by agreed pauses, and as gifts."""

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

ORGANISER = "organiser"  # reason of a stop


def is_stopped(match: Match) -> bool:
    return ORGANISER in match.stopped


@transaction.atomic
def stop(match: Match, *, reason: str, now: datetime) -> Event:
    """Stops both clocks until `go_on`; moves are still accepted. Refuses D12 (stopped already)."""
    check_playing(match)
    if is_stopped(match):
        raise Refused(Code.STOPPED_ALREADY, match=match)
    clocks.stop(match, now, ORGANISER)
    return record_event(match, Event.Kind.STOPPED, now=now, reason=reason)


@transaction.atomic
def resume(match: Match, *, reason: str, now: datetime) -> Event:
    """Resumes the clock of the player to move. Refuses D13 (it was not stopped)."""
    check_playing(match)
    if not is_stopped(match):
        raise Refused(Code.NOT_STOPPED, match=match)
    clocks.resume(match, now, ORGANISER)
    return record_event(match, Event.Kind.RESUMED, now=now, reason=reason)


# Agreed pauses, in which moves are still accepted

LONGEST = 60  # days
AGREED = "agreed"  # reason of a stop
SWEPT = 500  # matches at a time


def check(seat: Seat, days: int) -> None:
    """Refuses G02 and the like (not playing), K02 (no clock), K11 (bad length), K12 (not to be paused)."""
    check_playing(seat.match)
    if seat.match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=seat.match)
    if not 1 <= days <= LONGEST:
        raise Refused(Code.BAD_PAUSE, match=seat.match)
    if not seat.match.agreed.absence:
        raise Refused(Code.NO_ABSENCE, match=seat.match)


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """Pauses the match; no clock has run since `arrived`. Refuses G07 if time was over by then."""
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
    """Returns the matches with a pause that is over."""
    over = Match.objects.filter(paused_until__isnull=False, paused_until__lte=now).order_by("paused_until")
    return list(over.values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def end_pause(pk: int, *, now: datetime) -> None:
    """Ends the pause."""
    match = Match.objects.filter(pk=pk, paused_until__lte=now).locked().first()
    if match is None:
        return
    match.paused_until = None
    match.save(update_fields=["paused_until"])
    clocks.resume(match, now, AGREED)
    if match.status == Match.Status.PLAYING:
        record_event(match, Event.Kind.RESUMED, now=now)


# Gifts of time

MOST = timedelta(days=30)  # at once


@transaction.atomic
def give(seat: Seat, lasting: timedelta, *, now: datetime, letter: int | None = None) -> None:
    """Gives the opponent time.

    Refuses G11 and the like (not being played), K02 (no clock), K13 (excluded by the terms) and K18 (bad
    length).
    """
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


# Extra time from the organiser


@transaction.atomic
def extend(seat: Seat, lasting: timedelta, *, reason: str, now: datetime) -> Event:
    """Gives the player time, even above the cap; after a timeout just that. Refuses K02 (no clock)."""
    check_playing(seat.match)
    if seat.match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=seat.match)
    clocks.give(seat, lasting, now)
    hours = int(lasting / timedelta(hours=1))
    return record_event(seat.match, Event.Kind.EXTENDED, now=now, seat=seat.side, hours=hours, reason=reason)
