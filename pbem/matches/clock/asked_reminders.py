"""The organiser has a player reminded, whatever the clock says and whether there is one."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.events import record_event
from pbem.matches.models import Event, Match

PEACE = timedelta(days=1)  # since the last reminder of the match


@transaction.atomic
def remind_now(pk: int, *, now: datetime) -> bool:
    """Whether it was done: not where nobody is to move, the clocks stand still, or there was one within a day."""
    match = Match.objects.filter(pk=pk, status=Match.Status.PLAYING).locked().first()
    if match is None or match.to_move is None or match.stopped:
        return False
    lately = match.events.filter(kind=Event.Kind.REMINDED, happened_at__gt=now - PEACE, ply=match.ply)
    if lately.exists():
        return False
    waiting = (now - match.to_move_since).days if match.to_move_since else 0
    record_event(match, Event.Kind.REMINDED, now=now, side=match.to_move, waiting=waiting)
    return True
