"""Clocks for tests that are about something else."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.matches.clock import service as clocks
from pbem.matches.models import Match, Seat


def due(match: Match, at: datetime, *, since: datetime | None = None) -> Match:
    """The time of the player to move, who thinks `since` then (None: the match began), is over at this moment."""
    since = since or match.started_at
    assert since
    Match.objects.filter(pk=match.pk).update(terms=match.terms | {"clock": "60d/move"})
    Seat.objects.filter(match=match).update(bank_left=timedelta(days=60))
    moving = Seat.objects.filter(match=match, side=match.to_move)
    moving.update(bank_left=at - since, running_since=since)
    match.__dict__.pop("agreed", None)
    match.__dict__.pop("seated", None)
    match.refresh_from_db()
    clocks.refresh(match)
    return match
