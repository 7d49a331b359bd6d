"""What waits for a player's YES or NO: challenges, and what is offered or asked for in a match."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.matches import offers
from pbem.matches.models import Match, Seat
from pbem.players.models import Player

_MOST = 100  # matches of a player that are looked at


def asked_of(player: Player) -> Sequence[tuple[Match, str]]:
    """The matches, and what is asked in each."""
    matches = Match.objects.of(player).alive().order_by("pk")[:_MOST]
    seats = [seat for match in matches for seat in match.seated if seat.player_id == player.pk]
    return [(seat.match, what) for seat in seats if (what := asked_in(seat))]


def asked_in(seat: Seat) -> str:
    """`challenge`, `draw` or a kind of Offer; "" is nothing. What `services.accept` says yes to."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return "challenge" if match.proposer_id != seat.player_id else ""
    if match.status == Match.Status.PLAYING and match.draw_offered_by == seat.opponent.side:
        return "draw"
    offer = offers.standing(match, by=seat.opponent)
    return str(offer.kind) if offer else ""


def asks(seat: Seat) -> bool:
    """Whether they ask the opponent for something, which their NO takes back."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return match.proposer_id == seat.player_id
    return match.draw_offered_by == seat.side or offers.standing(match, by=seat) is not None
