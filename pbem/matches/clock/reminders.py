"""Which reminder a match comes to next: from its rows to the ladder."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from pbem.matches.clock.reminder_schedule import Reminder, Thinking, next_reminder
from pbem.matches.clock.time_used import Reckoning
from pbem.matches.models import Match
from pbem.players.calendar import Calendar


def coming(match: Match, running: Reckoning, now: datetime) -> Reminder | None:
    """`running` is how the clock of the player to move runs; None while it rests."""
    seat = match.moving
    if seat is None or match.deadline is None or seat.running_since is None or seat.bank_left is None:
        return None
    player = seat.player
    peace = Calendar(zone=player.zone, night=player.night, away=running.calendar.away)
    turn = Thinking(seat.running_since, seat.bank_left, match.deadline, running, peace)
    return next_reminder(player.reminders, turn, told(match), now)


def told(match: Match) -> Collection[str]:
    """The rungs of this turn that the player has heard of."""
    rungs: Collection[str] = match.reminded["rungs"] if match.reminded.get("ply") == match.ply else ()
    return rungs
