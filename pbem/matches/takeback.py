"""Takebacks: free while the opponent has not been notified of the move, else with their consent."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches import offers, plies
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.matches.offers import roll_back
from pbem.refusals import Code, Refused


@transaction.atomic
def undo(
    seat: Seat,
    plies_back: int | None = None,
    *,
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
) -> None:
    """Takes the player's last move back, with all that followed it, or `plies_back` plies; or asks for it.

    Refuses G15 when no own move is among them, or takebacks are excluded.
    """
    match = seat.match
    plies.check_playing(match)
    ply = _target(seat, plies_back)
    if ply is None:
        raise Refused(Code.NO_TAKEBACK, match=match)
    if _is_held(seat, ply, now):
        roll_back(match, ply, now=now, side=seat.side, letter=letter, seen=False)
        return
    if not match.agreed.takebacks:
        raise Refused(Code.NO_TAKEBACK, match=match)
    offers.make(
        seat, Offer.Kind.UNDO, ply=ply, turns=match.ply - ply, now=now, arrived=arrived, letter=letter
    )


def _target(seat: Seat, plies_back: int | None) -> int | None:
    """Returns the ply to go back to. None when no move of the player would be undone."""
    match = seat.match
    turns = match.live_turns().filter(side=seat.side)
    if match.game.forced_pass is not None:
        turns = turns.exclude(move=str(match.game.forced_pass))
    if plies_back is None:
        last = turns.filter(how="").last()
        return last.ply if last else None
    ply = match.ply - plies_back
    return ply if ply >= 0 and turns.filter(ply__gte=ply).exists() else None


def _is_held(seat: Seat, ply: int, now: datetime) -> bool:
    """Returns whether this move is the last event at the board, and its letter is still held."""
    if not seat.match.agreed.hold:
        return False
    last = seat.match.events.filter(kind=Event.Kind.MOVED).latest("pk")
    is_it = last.side == seat.side and last.facts.get("first") == ply
    return is_it and now < held_until(last, seat.match)


def held_until(event: Event, match: Match) -> datetime:
    """Returns when the opponent's letter about a move is sent: at once if it was answered automatically."""
    answered = event.kind != Event.Kind.MOVED or event.facts.get("itself")
    return event.happened_at + timedelta(minutes=0 if answered else match.agreed.hold)
