"""What the organiser decides about a match that the players cannot end themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from games.protocol import Outcome, Side
from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.lifecycle import finish
from pbem.matches.models import Event, Match
from pbem.matches.plies import check_playing

ADJUDICATED = "adjudicated"  # the reason that the record gives


@transaction.atomic
def adjudicate(match: Match, winner: Side | None, *, reason: str, now: datetime) -> None:
    """The match ends with this result (None: drawn). Both players are told, with the reason. Refuses G02, G08, G11."""
    check_playing(match)
    finish(match, Outcome(winner, ADJUDICATED), now=now, side=None, reason=reason)


@transaction.atomic
def void(match: Match, *, reason: str, now: datetime, **facts: Any) -> None:
    """The match counts for nothing and has no result. Both players are told, with the reason."""
    clocks.rest(match, now)
    match.status, match.ended_at, match.flagged_at = Match.Status.VOID, now, None
    match.to_move = match.draw_offered_by = match.winner = match.deadline = None
    match.reason = ""
    match.turns_end()
    match.save()
    record_event(match, Event.Kind.VOIDED, now=now, side=None, reason=reason, **facts)
