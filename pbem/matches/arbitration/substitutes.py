"""Gives a place in a match to another player, who goes on from the board and the clock as they stand."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import ConditionalLine, Event, Seat
from pbem.matches.plies import check_playing
from pbem.matches.services import revoke_tokens
from pbem.matches.tournaments.service import enter
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@transaction.atomic
def replace(seat: Seat, player: Player, *, reason: str, now: datetime) -> Event:
    """`player` takes the seat. The reply addresses of the one who had it are dead, what they offered is off the table.

    Refuses G02, G08, G11 (not being played), C03 (they have the other seat, or this one), D06 (they get no letters).
    """
    match = seat.match
    check_playing(match)
    if player.pk in (each.player_id for each in match.seated):
        raise Refused(Code.AGAINST_YOURSELF, name=player.name)
    if not Player.objects.opponents().filter(pk=player.pk).exists():
        raise Refused(Code.GETS_NO_LETTERS, text=player.name)
    clocks.keep_calendar(seat, now)  # that of the one who leaves; from now on that of the other counts
    before, seat.player = seat.player, player
    seat.save(update_fields=["player"])
    other = seat.opponent
    match.seated = (other, seat) if seat.side else (seat, other)
    for each in match.seated:
        revoke_tokens(each)
    if match.draw_offered_by == seat.side:
        match.draw_offered_by = None
        match.save(update_fields=["draw_offered_by"])
    if seat.is_to_move:
        match.save(update_fields=match.turn_begins(now))
    match.offers.all().delete()
    # What the one would have answered, the other shall neither play nor be told at the end.
    seat.lines.unused().order_by().update(fate=ConditionalLine.Fate.CLEARED, left_at=match.ply)
    clocks.begin(match, now)
    if match.tournament:
        enter(match.tournament, [player], guest=True)
    return record_event(
        match,
        Event.Kind.REPLACED,
        now=now,
        seat=seat.side,
        before=before.pk,
        after=player.pk,
        reason=reason,
    )
