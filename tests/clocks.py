"""Clocks for tests that are about something else."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.matches.models import Match, Seat
from pbem.matches.time import clocks


def due(match: Match, at: datetime) -> Match:
    """The time of the player to move, who has thought since the match began, is over at this moment."""
    assert match.started_at
    Match.objects.filter(pk=match.pk).update(terms=match.terms | {"clock": "60d/move"})
    Seat.objects.filter(match=match).update(bank_left=timedelta(days=60))
    moving = Seat.objects.filter(match=match, side=match.to_move)
    moving.update(bank_left=at - match.started_at, running_since=match.started_at)
    match.__dict__.pop("agreed", None)
    match.__dict__.pop("seated", None)
    match.refresh_from_db()
    clocks.refresh(match)
    return match
