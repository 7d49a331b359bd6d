"""A pause that both players agreed on: their match rests until a day, and whoever likes may move all the same."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.matches.events import happened
from pbem.matches.models import Event, Offer, Seat
from pbem.refusals import Refused

LONGEST = 60  # days


def check(seat: Seat, days: int) -> None:
    """Refuses K11 (no such length) and K12 (this match may not be paused)."""
    if not 1 <= days <= LONGEST:
        raise Refused("K11", match=seat.match, number=LONGEST)
    if not seat.match.agreed.absence:
        raise Refused("K12", match=seat.match)


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """The opponent agrees: the pause begins. Refuses G07 if somebody's time was over before he did."""
    match = seat.match
    if match.deadline is not None and arrived > match.deadline:
        raise Refused("G07", match=match)
    match.paused_until = now + timedelta(days=offer.facts["days"])
    match.save(update_fields=["paused_until"])
    happened(
        match,
        Event.Kind.PAUSED,
        now=now,
        side=seat.side,
        letter=letter,
        days=offer.facts["days"],
        until=match.paused_until.isoformat(),
    )
