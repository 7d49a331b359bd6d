"""What waits for a player's YES or NO: challenges, and what is offered or asked for in a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from pbem.matches import offers
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.players.models import Player

CHALLENGE, DRAW = "challenge", "draw"
_MOST = 100  # matches of a player that are looked at


@dataclass(frozen=True)
class Question:
    """What `services.accept` says yes to at a seat: CHALLENGE, DRAW or a kind of Offer."""

    seat: Seat
    what: str
    offer: Offer | None = None

    def since(self) -> datetime | None:
        """When it was asked; None where nobody knows, and for a challenge."""
        if self.what != DRAW:
            return self.offer.made_at if self.offer else None
        offered = self.seat.match.events.filter(kind=Event.Kind.OFFERED, side=self.seat.opponent.side)
        return offered.order_by("-pk").values_list("happened_at", flat=True).first()


def asked_of(player: Player) -> Sequence[Question]:
    """In all of their matches."""
    matches = list(Match.objects.of(player).alive().order_by("pk")[:_MOST])
    standing = Offer.objects.filter(match__in=matches, until_ply__gt=F("match__ply"))
    by_seat = {(offer.match_id, offer.side): offer for offer in standing}
    seats = [seat for match in matches for seat in match.seated if seat.player_id == player.pk]
    asked = (_question(seat, by_seat.get((seat.match_id, seat.opponent.side))) for seat in seats)
    return [question for question in asked if question]


def asked_in(seat: Seat) -> Question | None:
    """At one seat."""
    return _question(seat, offers.standing(seat.match, by=seat.opponent))


def may_begin(seat: Seat) -> bool:
    """Whether they are challenged and would move first: then a first move says yes."""
    match = seat.match
    challenged = match.status == Match.Status.PROPOSED and match.proposer_id != seat.player_id
    return challenged and int(match.current().to_move) == seat.side


def asks(seat: Seat) -> bool:
    """Whether they ask the opponent for something, which their NO takes back."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return match.proposer_id == seat.player_id
    return match.draw_offered_by == seat.side or offers.standing(match, by=seat) is not None


def _question(seat: Seat, offer: Offer | None) -> Question | None:
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return Question(seat, CHALLENGE) if match.proposer_id != seat.player_id else None
    if match.status != Match.Status.PLAYING:
        return None
    if match.draw_offered_by == seat.opponent.side:
        return Question(seat, DRAW)
    return Question(seat, str(offer.kind), offer) if offer else None
