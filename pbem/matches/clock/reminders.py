"""Reminders: rules for the next one, and reminders sent by the organiser."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock.control import Running
from pbem.matches.clock.ledger import TimeCalculation
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.players.calendar import Calendar

# Rules. Pure; `now` is an argument

HOUR = timedelta(hours=1)
TOGETHER = HOUR  # reminders closer together than this are merged
ENOUGH = HOUR  # a reminder waits for the end of the night only if this much time is left
STEP = timedelta(minutes=15)
MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Rung:
    """A step of the reminders: after a share of the turn's time, or a time before the deadline."""

    name: str
    used: float = 0.0
    before: timedelta | None = None


LADDER = (
    Rung("half", used=0.5),
    Rung("most", used=0.8),
    Rung("day", before=24 * HOUR),
    Rung("hours", before=3 * HOUR),
)
# Rungs by preference.
WISHES: Mapping[str, tuple[Rung, ...]] = {
    "all": LADDER,
    "last": LADDER[2:],
    "none": (),
}


@dataclass(frozen=True)
class Thinking:
    """The current turn: `since` when the clock runs, the time `left`, and the `deadline`.

    `running` is when the clock runs; `quiet` is a calendar that stands still while the player is not to be
    disturbed.
    """

    since: datetime
    left: timedelta
    deadline: datetime
    running: Running
    quiet: Calendar


@dataclass(frozen=True)
class Reminder:
    """One letter, and the rungs that it covers."""

    at: datetime
    rungs: frozenset[str]


def next_reminder(wish: str, turn: Thinking, told: Collection[str], now: datetime) -> Reminder | None:
    """Returns the first rung not `told`, merged with those close behind or due by `now`. None without one."""
    rungs = [rung for rung in WISHES[wish] if rung.name not in told]
    moments = {rung.name: moment for rung in rungs if (moment := _moment(rung, turn)) is not None}
    if not moments:
        return None
    at = min(moments.values())
    until = max(at, now) + TOGETHER
    return Reminder(at, frozenset(name for name, moment in moments.items() if moment <= until))


def _moment(rung: Rung, turn: Thinking) -> datetime | None:
    """Returns when the rung is due. None when the turn begins above it."""
    # The letter that began the turn has replaced it.
    if rung.before is None:
        share = turn.running.after(turn.since, turn.left * rung.used)
        if share is None:
            return None
        reached = share
    else:
        reached = turn.deadline - rung.before
    if reached <= turn.since:
        return None
    moment = _in_peace(reached, turn)
    return moment if turn.since < moment < turn.deadline else None


def _in_peace(moment: datetime, turn: Thinking) -> datetime:
    """Moves a reminder out of nights and absences: after them, or before if the deadline is too near."""
    if turn.quiet.runs(moment):
        return moment
    over = turn.quiet.after(moment, MOMENT) - MOMENT
    if over + ENOUGH <= turn.deadline:
        return over
    while moment > turn.since and not turn.quiet.runs(moment):
        moment -= STEP
    return moment


def coming(match: Match, running: TimeCalculation, now: datetime) -> Reminder | None:
    """Returns the next reminder; `running` is the reckoning of the turn. None while the clock rests."""
    seat = match.moving
    if seat is None or match.deadline is None or seat.running_since is None or seat.bank_left is None:
        return None
    player = seat.player
    peace = Calendar(zone=player.zone, night=player.night, away=running.calendar.away)
    turn = Thinking(seat.running_since, seat.bank_left, match.deadline, running, peace)
    return next_reminder(player.reminders, turn, told(match), now)


def told(match: Match) -> Collection[str]:
    """Returns the rungs of this turn that have been covered by letters."""
    rungs: Collection[str] = match.reminded["rungs"] if match.reminded.get("ply") == match.ply else ()
    return rungs


# Reminders sent by the organiser, with or without a clock

PEACE = timedelta(days=1)  # since the last reminder of the match


@transaction.atomic
def remind_now(pk: int, *, now: datetime) -> bool:
    """Reminds the player to move; returns whether it did.

    Not without a player to move, with stopped clocks, or within a day of the last reminder.
    """
    match = Match.objects.filter(pk=pk, status=Match.Status.PLAYING).locked().first()
    if match is None or match.to_move is None or match.stopped:
        return False
    lately = match.events.filter(kind=Event.Kind.REMINDED, happened_at__gt=now - PEACE, ply=match.ply)
    if lately.exists():
        return False
    waiting = (now - match.to_move_since).days if match.to_move_since else 0
    record_event(match, Event.Kind.REMINDED, now=now, side=match.to_move, waiting=waiting)
    return True
