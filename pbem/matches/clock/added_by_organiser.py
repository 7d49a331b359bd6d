"""The organiser gives a player more time: for a flood, a broken relay, a letter that was lost."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import Event, Seat
from pbem.matches.plies import check_playing
from pbem.refusals import Code, Refused


@transaction.atomic
def extend(seat: Seat, lasting: timedelta, *, reason: str, now: datetime) -> Event:
    """Above the cap if need be; whose time was over goes on with just that. Refuses K02 (nobody's time is limited)."""
    check_playing(seat.match)
    if seat.match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=seat.match)
    clocks.give(seat, lasting, now)
    hours = int(lasting / timedelta(hours=1))
    return record_event(seat.match, Event.Kind.EXTENDED, now=now, seat=seat.side, hours=hours, reason=reason)
