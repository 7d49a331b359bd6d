"""Which reminder a match comes to next: from its rows to the ladder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock.control import Running
from pbem.matches.clock.ledger import Reckoning
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.players.calendar import Calendar

# When the player to move is reminded of their turn, and when left in peace. Pure; every moment is
# an argument.

HOUR = timedelta(hours=1)
TOGETHER = HOUR  # reminders that lie no further apart are one
ENOUGH = HOUR  # this much before the deadline a night must be over for a reminder to wait for its end
STEP = timedelta(minutes=15)
MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Rung:
    """Reached when this share of the turn's time has run, or so long before the deadline, nights and all."""

    name: str
    used: float = 0.0
    before: timedelta | None = None


LADDER = (
    Rung("half", used=0.5),
    Rung("most", used=0.8),
    Rung("day", before=24 * HOUR),
    Rung("hours", before=3 * HOUR),
)
# What a player may wish for.
WISHES: Mapping[str, tuple[Rung, ...]] = {
    "all": LADDER,
    "last": LADDER[2:],
    "none": (),
}


@dataclass(frozen=True)
class Thinking:
    """A turn under way: its clock runs `since` then, has so much `left`, and is over at the `deadline`.

    `running` is when that clock runs, `quiet` a calendar that stands still while its player is not to be disturbed.
    """

    since: datetime
    left: timedelta
    deadline: datetime
    running: Running
    quiet: Calendar


@dataclass(frozen=True)
class Reminder:
    """One letter, and the rungs that are told by it."""

    at: datetime
    rungs: frozenset[str]


def next_reminder(wish: str, turn: Thinking, told: Collection[str], now: datetime) -> Reminder | None:
    """The first rung not yet `told`, with all that lie close behind it or are due by `now` as well."""
    rungs = [rung for rung in WISHES[wish] if rung.name not in told]
    moments = {rung.name: moment for rung in rungs if (moment := _moment(rung, turn)) is not None}
    if not moments:
        return None
    at = min(moments.values())
    until = max(at, now) + TOGETHER
    return Reminder(at, frozenset(name for name, moment in moments.items() if moment <= until))


def _moment(rung: Rung, turn: Thinking) -> datetime | None:
    """None for a rung that the turn begins above: the letter that brought the turn has said it all."""
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
    """Not at night, nor while they are away: when that is over, or before it where the deadline would be too near."""
    if turn.quiet.runs(moment):
        return moment
    over = turn.quiet.after(moment, MOMENT) - MOMENT
    if over + ENOUGH <= turn.deadline:
        return over
    while moment > turn.since and not turn.quiet.runs(moment):
        moment -= STEP
    return moment


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


# The organiser has a player reminded, whatever the clock says and whether there is one.

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
