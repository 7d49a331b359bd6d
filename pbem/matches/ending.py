"""How every match ends: the result is written down and told, whatever brought it about."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.protocol import Outcome
from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match


def finish(
    match: Match,
    outcome: Outcome,
    *,
    now: datetime,
    side: int | None,
    letter: int | None = None,
    **facts: Any,
) -> None:
    """`side` is whose doing it is; None: nobody's at the board."""
    clocks.rest(match, now)
    match.status, match.ended_at, match.flagged_at = Match.Status.OVER, now, None
    match.to_move = match.draw_offered_by = None
    match.winner = None if outcome.winner is None else int(outcome.winner)
    match.reason = outcome.reason
    match.save(
        update_fields=[
            *("status", "ended_at", "flagged_at", "to_move", "draw_offered_by", "winner", "reason"),
            *match.turns_end(),
        ]
    )
    record_event(match, Event.Kind.ENDED, now=now, side=side, letter=letter, **facts)
