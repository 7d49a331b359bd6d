"""The pie rule: the second player may take the first move over as their own, and the sides are changed."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import check_in_time
from pbem.matches.conditional import service as keeping
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Seat
from pbem.matches.models.incidents import swapped
from pbem.matches.plies import check_playing
from pbem.refusals import Code, Refused

_NO_SIDE = 2  # while a seat has left its own side and the other is still taken


def may_swap(match: Match) -> bool:
    """Whether the player to move may change sides: once, after the first move, where the pie rule holds."""
    agreed = match.agreed.pie
    holds = match.game.pie if agreed is None else agreed
    return bool(holds) and match.ply == 1 and match.status == Match.Status.PLAYING and not swapped(match.pk)


@transaction.atomic
def swap(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """The first move goes to who swaps; the other is to move. It counts from when the letter `arrived`, as a move does.

    The seats change sides and keep their reply addresses and their clocks. Refuses G02, G03, G07, C20.
    """
    match = seat.match
    check_playing(match)
    if not may_swap(match):
        raise Refused(Code.NO_SWAP, match=match)
    if not seat.is_to_move:
        raise Refused(Code.NOT_YOUR_TURN, match=match)
    check_in_time(seat, arrived or now)
    clocks.charge(seat, arrived or now)
    keeping.drop(match)
    _change_sides(match)
    match.draw_offered_by = None  # an offer lasts until it is answered by a move
    match.save(update_fields=["draw_offered_by", *match.turn_begins(now)])
    clocks.begin(match, now)
    record_event(match, Event.Kind.SWAPPED, now=now, side=match.seated[0].side, letter=letter)


def _change_sides(match: Match) -> None:
    """In three steps, for no two seats may have one side."""
    first, second = match.seated
    first.side, second.side = second.side, first.side
    for seat, side in ((second, _NO_SIDE), (first, first.side), (second, second.side)):
        Seat.objects.filter(pk=seat.pk).update(side=side)
    match.seated = (second, first)
