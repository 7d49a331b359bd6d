"""Offers between the two players of a match: made, granted, declined, withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from pbem.matches import rollback
from pbem.matches.clock import pauses
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.refusals import Code, Refused


class Grant(Protocol):
    """What the YES of `seat` brings; it writes the event that tells of it. The offer is gone already."""

    def __call__(
        self, offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None
    ) -> None: ...


# What a YES brings, by what was asked for.
GRANTS: Mapping[str, Grant] = {
    Offer.Kind.PAUSE: pauses.grant,
    Offer.Kind.UNDO: rollback.grant,
}


def make(
    seat: Seat,
    kind: Offer.Kind,
    *,
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
    **facts: Any,
) -> None:
    """Ask the opponent; a player who asks for what the opponent asks for grants it. Refuses K10 while another offer of
    this seat stands.

    `facts` are what the kind needs to know, of values that JSON has.
    """
    match = seat.match
    theirs = standing(match, by=seat.opponent)
    if theirs and (theirs.kind, theirs.facts) == (kind, facts):
        accept(seat, now=now, arrived=arrived, letter=letter)
        return
    check_none_stands(seat)
    if match.draw_offered_by == seat.side:
        raise Refused(Code.OFFER_STANDS, match=match)
    Offer.objects.filter(match=match, side=seat.side).delete()  # a lapsed one
    Offer.objects.create(
        match=match,
        kind=kind,
        side=seat.side,
        facts=facts,
        made_at=now,
        ply=match.ply,
        until_ply=match.ply + (2 if seat.is_to_move else 1),
    )
    record_event(match, Event.Kind.ASKED, now=now, side=seat.side, letter=letter, offer=str(kind), **facts)


def check_none_stands(seat: Seat) -> None:
    """Refuses K10: one offer at a time, so that a YES that crosses it on its way cannot mean another."""
    if standing(seat.match, by=seat):
        raise Refused(Code.OFFER_STANDS, match=seat.match)


def standing(match: Match, *, by: Seat) -> Offer | None:
    """What this seat offers."""
    return Offer.objects.standing(match).filter(side=by.side).first()


def accept(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """YES to what the opponent asks for, which came when its letter `arrived` (None: now). Refuses G08 if that is
    nothing."""
    offer = standing(seat.match, by=seat.opponent)
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=seat.match)
    offer.delete()
    GRANTS[offer.kind](offer, seat, now=now, arrived=arrived or now, letter=letter)


def decline(seat: Seat, *, reason: str = "", now: datetime, letter: int | None = None) -> None:
    """NO to what the opponent asks for, else to what one asks for oneself. Refuses G08 if nothing stands."""
    match = seat.match
    theirs, own = standing(match, by=seat.opponent), standing(match, by=seat)
    offer = theirs or own
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=match)
    offer.delete()
    kind = Event.Kind.DENIED if offer is theirs else Event.Kind.WITHDRAWN
    record_event(match, kind, now=now, side=seat.side, letter=letter, offer=offer.kind, reason=reason)


def forget(match: Match) -> None:
    """For anyone who takes turns back: what was asked for on a later board does not stand again on an earlier one."""
    Offer.objects.filter(match=match).delete()
