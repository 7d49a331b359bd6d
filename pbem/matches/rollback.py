"""Takes a match back to an earlier turn: an event, never a delete."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches import plies
from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import is_late
from pbem.matches.conditional import service as keeping
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.refusals import Code, Refused

Status = Match.Status


@transaction.atomic
def roll_back(
    match: Match,
    ply: int,
    *,
    now: datetime,
    side: int | None,
    reason: str = "",
    letter: int | None = None,
    seen: bool = True,
) -> Event:
    """Undo every turn from `ply` on (plies count from 0); a match that is over is open again.

    `side` is whose wish it was, None the organiser's. A pass that the rules forced goes with the move before
    it. Every reply address made so far is dead, since a letter may show a turn that is no more. `ply` may be
    where a match stands that ended off the board. If not `seen`, the opponent of `side` has not been told yet of
    what is undone, and never is. Refuses G10 and G11.
    """
    if match.status not in (Status.PLAYING, Status.OVER, Status.VOID):
        raise Refused(Code.NOT_BEGUN, match=match)
    if not 0 <= ply <= match.ply or (ply == match.ply and match.status == Status.PLAYING):
        raise Refused(Code.NO_SUCH_TURN, match=match, number=ply)
    stood = match.ply
    _stand_at(match, ply)
    while match.ply and plies.forced_pass(match) is not None:
        _stand_at(match, match.ply - 1)
    if plies.outcome(match) is not None:
        raise Refused(Code.NO_SUCH_TURN, match=match, number=ply)
    match.status, match.ended_at, match.winner, match.reason = Status.PLAYING, None, None, ""
    match.draw_offered_by = match.deadline = match.flagged_at = None
    match.turn_begins(now)
    match.turns_at_hand = None
    match.save()
    keeping.undo(match)
    if seen:
        clocks.begin_again(match, now)
    elif side is not None:
        clocks.unplay(match.seated[side], now)
    for seat in match.seated:
        if seen or seat.side == side:
            seat.revoke_tokens()
    facts = {"undone": stood - match.ply} | ({} if seen else {"seen": False})
    event = record_event(match, Event.Kind.UNDONE, now=now, side=side, letter=letter, reason=reason, **facts)
    match.live_turns().filter(ply__gte=match.ply).update(undone_by=event)
    match.offers.all().delete()  # what was asked for on a later board
    return event


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """The opponent agrees to what was asked for. Refuses G07 if somebody's time was over before that."""
    match = seat.match
    if is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)
    roll_back(match, offer.facts["ply"], now=now, side=seat.side, letter=letter)


def _stand_at(match: Match, ply: int) -> None:
    """The match as it stood after `ply` turns; nothing is saved."""
    last = match.live_turns().filter(ply=ply - 1).first()
    match.ply, match.position = ply, last.position if last else str(match.start_position())
    match.to_move = int(match.current().to_move)
