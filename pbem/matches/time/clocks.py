"""The clocks of a match: they begin with a turn, are charged what has elapsed, stop and go on.

Whoever calls has locked the match. A match that has agreed on no clock pays no query for any of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.models import Match, Outage, Seat
from pbem.matches.time.clock import DAY, NOTHING, Bank, Control
from pbem.matches.time.reminders import coming
from pbem.players.calendar import ALWAYS, Calendar
from pbem.players.calendars import calendar_of
from pbem.players.models import Player

PAUSED = "paused"  # why a clock is stopped, if nobody says otherwise


def begin(match: Match, now: datetime) -> None:
    """A turn begins, or is given back: the clock of the player to move runs, unless it is stopped."""
    control = match.agreed.control
    if control is None or match.moving is None:
        return
    for seat in match.seated:
        bank = seat.bank or Bank.full(control)
        if seat.is_to_move and not match.stopped:
            seat.put(bank.begin(now))
        elif seat.bank is None or bank.since is not None:
            seat.put(bank.rest(now, calendar_for(seat)))
    _set_deadline(match, control)


def begin_again(match: Match, now: datetime) -> None:
    """A turn was taken back. Nobody comes back to less than an increment, or a day."""
    control = match.agreed.control
    if control is None:
        return
    rest(match, now)
    for seat in match.seated:
        if seat.bank is not None:
            seat.put(
                replace(seat.bank, left=max(seat.bank.left, min(control.bank, max(control.increment, DAY))))
            )
    begin(match, now)


def charge(seat: Seat, now: datetime) -> None:
    """A turn ends with a move: what has elapsed is gone, and the increment is his.

    A seat whose clock does not run, because the service moves for it, is charged nothing and gets the increment.
    """
    match, seat = _seated(seat)
    control = match.agreed.control
    if match.flagged_at is not None:
        match.flagged_at = None
        match.save(update_fields=["flagged_at"])
    if control is not None and seat.bank is not None:
        seat.put(seat.bank.moved(control, now, calendar_for(seat)))


def rest(match: Match, now: datetime) -> None:
    """Nobody's clock runs any longer: the match is over, or stopped."""
    if match.agreed.control is not None:
        for seat in match.seated:
            if seat.bank is not None and seat.bank.since is not None:
                seat.put(seat.bank.rest(now, calendar_for(seat)))


def stop(match: Match, now: datetime, why: str = PAUSED) -> None:
    """The clock stands still, until it goes on for every reason for which it was stopped."""
    if why in match.stopped:
        return
    rest(match, now)
    match.stopped = [*match.stopped, why]
    if match.agreed.control is not None:
        match.deadline = None
    match.save(update_fields=["stopped", "deadline"])


def go_on(match: Match, now: datetime, why: str = PAUSED) -> None:
    if why not in match.stopped:
        return
    match.stopped = [reason for reason in match.stopped if reason != why]
    match.save(update_fields=["stopped"])
    begin(match, now)


def give(seat: Seat, lasting: timedelta, now: datetime) -> None:
    """More time, above the cap if need be. Whose time was over goes on with just that."""
    match, seat = _seated(seat)
    control = match.agreed.control
    if control is None or seat.bank is None:
        return
    if match.flagged_at is not None and seat.is_to_move:
        over = seat.bank.rest(now, calendar_for(seat))
        seat.put(replace(over, left=max(over.left, NOTHING)).given(lasting))
        match.flagged_at = None
        match.save(update_fields=["flagged_at"])
        begin(match, now)
    else:
        seat.put(seat.bank.given(lasting))
        _set_deadline(match, control)


def forgive(seat: Seat, since: datetime, until: datetime) -> None:
    """What elapsed between, through no fault of the player, never did: as if the clock had been stopped.

    What an outage of ours has given back of it already is not given twice.
    """
    match, seat = _seated(seat)
    control, bank = match.agreed.control, seat.bank
    if control is None or bank is None or bank.since is None:
        return
    since = max(since, bank.since)
    if since < until:
        outages = Outage.objects.overlapping(since, until)
        if match.deadline is not None:  # later ones gave it nothing
            outages = outages.filter(since__lte=match.deadline)
        given = sum((min(o.until, until) - max(o.since, since) for o in outages), NOTHING)
        seat.put(bank.rest(since, calendar_for(seat)).credited(-given).begin(until))
        _set_deadline(match, control)


def refresh(match: Match) -> None:
    """The deadline as it follows from the bank and the calendar."""
    if control := match.agreed.control:
        _set_deadline(match, control)


def recalculate(player: Player, now: datetime) -> None:
    """His absences have changed, from `now` on. For what reaches back, see `new_hours`."""
    with new_hours(player, now):
        pass


@contextmanager
def new_hours(player: Player, now: datetime) -> Iterator[None]:
    """His zone, weekend or night is saved within: until `now` his clocks ran by the old calendar.

    `now` may be some moments ago; a clock that began to run since knows no other calendar than the new one, and one
    that has run out by then is not wound up again.
    """
    with transaction.atomic():
        running = Seat.objects.filter(player=player, running_since__isnull=False)
        pks = running.filter(match__status=Match.Status.PLAYING).values_list("match", flat=True)
        known = Match.objects.filter(pk__in=list(pks)).exclude(deadline__lt=now)
        matches = list(known.locked())
        for match in (ran := [match for match in matches if _has_run(match, now)]):
            rest(match, now)
        yield
        for match in matches:
            for seat in match.seated:
                seat.player.refresh_from_db()
            if match in ran:
                begin(match, now)
            else:
                refresh(match)


def _has_run(match: Match, until: datetime) -> bool:
    return any(seat.running_since is not None and seat.running_since < until for seat in match.seated)


def remaining(seat: Seat, now: datetime) -> timedelta | None:
    """What the seat may still use in one go, below nothing when it is over; None where nothing is limited."""
    match, seat = _seated(seat)
    control = match.agreed.control
    if control is None:
        return None
    if seat.bank is None:
        return Bank.full(control).limit(control)
    return seat.bank.remaining(control, now, calendar_for(seat))


def calendar_for(seat: Seat) -> Calendar:
    """By which the clock of the seat has run since it began to."""
    since, agreed = seat.running_since, seat.match.agreed
    if since is None or agreed.nonstop:
        return ALWAYS
    calendar = calendar_of(seat.player, since)
    return calendar if agreed.absence else replace(calendar, away=())


def _seated(seat: Seat) -> tuple[Match, Seat]:
    """The match, and its own object for the seat: of two for one row, one would not see what the other is charged."""
    return seat.match, seat.match.seated[seat.side]


def _set_deadline(match: Match, control: Control) -> None:
    seat = match.moving
    if seat is None or seat.bank is None or match.flagged_at is not None:
        return
    calendar = calendar_for(seat)
    match.deadline = seat.bank.deadline(control, calendar)
    reminder = coming(match, calendar, seat.bank.since) if seat.bank.since else None
    match.remind_at = reminder.at if reminder else None
    match.save(update_fields=["deadline", "remind_at"])
