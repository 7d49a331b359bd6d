"""Whether the letter that a player answers asks something of them: then "sure" and "no thanks" are YES and NO."""

from __future__ import annotations

from datetime import datetime

from pbem.matches import offers
from pbem.matches.models import Event, Match, Seat
from pbem.outbox.models import OutboundMail


def asks(letter: OutboundMail | None, seat: Seat | None) -> bool:
    """A challenge, a draw, a pause or a takeback still stands open, and the letter is not older than that."""
    if letter is None or seat is None or letter.match_id != seat.match_id:
        return False
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return match.proposer_id != seat.player_id
    since = _asked_at(seat) if match.status == Match.Status.PLAYING else None
    return since is not None and letter.created_at >= since


def _asked_at(seat: Seat) -> datetime | None:
    """Since when the opponent waits for a YES or a NO; None where nothing is asked."""
    match = seat.match
    if match.draw_offered_by == seat.opponent.side:
        offered = match.events.filter(kind=Event.Kind.OFFERED, side=seat.opponent.side)
        return offered.order_by("-pk").values_list("happened_at", flat=True).first()
    offer = offers.standing(match, by=seat.opponent)
    return offer.made_at if offer else None
