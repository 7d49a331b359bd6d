"""Time that a player gives the other."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import Event, Seat
from pbem.matches.plies import check_playing
from pbem.refusals import Code, Refused

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
