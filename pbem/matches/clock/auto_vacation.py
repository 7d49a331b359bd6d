"""A day of absence for anyone who has nearly used up their time: better than a match lost by a holiday."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from pbem.matches.clock import absences
from pbem.matches.clock import service as clocks
from pbem.matches.models import Match, Seat

# Taken so long before the deadline that anyone who moves in the last minute is not told that they were late.
NEAR = timedelta(minutes=15)
MOMENT = timedelta(seconds=1)
SWEPT = 500  # at a time


def near(now: datetime) -> Iterable[int]:
    """The matches whose deadline comes soon, and whose player to move may want a day."""
    moving = Seat.objects.filter(match=OuterRef("pk"), side=OuterRef("to_move"))
    wanted = Exists(moving.filter(player__automatic_absence=True))
    soon = Match.objects.overdue(now + NEAR).filter(wanted, deadline__gt=now)
    return list(soon.order_by("deadline").values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def save(pk: int, *, now: datetime) -> bool:
    """Take a day for the player to move, if they want that, have one left, and the match allows it."""
    match = Match.objects.overdue(now + NEAR).filter(pk=pk, deadline__gt=now).locked().first()
    if match is None or not _is_near(match, now):
        return False
    seat = match.moving
    if seat is None or not seat.player.automatic_absence or not _allowed(seat):
        return False
    return absences.take_a_day(seat.player, now, now=now) is not None


def rescue(seat: Seat, now: datetime) -> bool:
    """Where the players have agreed that a timeout costs a day, whatever the mover wants: from a moment before it."""
    deadline = seat.match.deadline
    if deadline is None or not seat.match.agreed.rests:
        return False
    return absences.take_a_day(seat.player, deadline - MOMENT, now=now) is not None


def _is_near(match: Match, now: datetime) -> bool:
    """By the ledger: what the row says may be too early."""
    clocks.refresh(match)
    return match.deadline is not None and now < match.deadline < now + NEAR


def _allowed(seat: Seat) -> bool:
    agreed = seat.match.agreed
    return bool(agreed.control) and agreed.rests and agreed.automatic
