"""What the end of a deadline brings, and the time in which somebody could not be reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction

from games.protocol import Outcome, Side
from pbem.matches.clock import service as clocks
from pbem.matches.clock.absences import rescue
from pbem.matches.clock.outages import asleep_since
from pbem.matches.clock.recalculation import over_at, recount
from pbem.matches.events import record_event
from pbem.matches.lifecycle import finish
from pbem.matches.models import Event, Match, MatchQuerySet, Reason, Seat, Stoppage
from pbem.players.models import Player
from pbem.refusals import Code, Refused

Policy = Callable[[Match, datetime], None]


def lose(match: Match, now: datetime) -> None:
    """The player to move loses."""
    assert match.to_move is not None
    finish(match, Outcome(Side(match.to_move).other, "time"), now=now, side=None)


def spend_absence(match: Match, now: datetime) -> None:
    """A day of the player's absence is spent; without one they lose."""
    seat = match.moving
    if seat is None or not rescue(seat, now):
        lose(match, now)


def leave_to_others(match: Match, now: datetime) -> None:
    """The opponent, or the organiser, decides what follows. Both players hear of it."""
    match.flagged_at, match.deadline = match.deadline, None
    match.save(update_fields=["flagged_at", "deadline"])
    record_event(match, Event.Kind.FLAGGED, now=now)


# What it costs to let one's time run out.
POLICIES: Mapping[str, Policy] = {
    "loss": lose,
    "claim": leave_to_others,  # the opponent may CLAIM; until then a late move counts
    "absence": spend_absence,
    "adjudicate": leave_to_others,  # the organiser decides; until then nothing is played
}


@transaction.atomic
def flag(overdue: MatchQuerySet, pk: int, *, now: datetime) -> bool:
    """Do what was agreed if it is `overdue` still once it is locked: a move may have come in between."""
    match = overdue.filter(pk=pk).locked().first()
    if match is None or match.to_move is None:
        return False
    deadline = match.deadline
    clocks.refresh(match)  # what the row says is only what was known when it was written
    if match.deadline != deadline and not overdue.filter(pk=pk).exists():
        return False
    POLICIES[match.agreed.policy](match, now)
    return True


def check_in_time(seat: Seat, arrived: datetime) -> None:
    """The time of the player to move ends with the moment of their deadline. Refuses G07, K04."""
    match = seat.match
    if not seat.is_to_move or match.agreed.policy == "claim":
        return
    if match.flagged_at is not None:
        raise Refused(Code.ORGANISER_DECIDES, match=match)
    if is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)


def is_late(match: Match, arrived: datetime) -> bool:
    """Whether the time of the player to move was over by then. A clock that was stopped after that stays where it is:
    nobody can wait for the organiser, or a pause, to be in time once more. While a door is shut no time runs out,
    though a letter may come by another."""
    if match.flagged_at is not None or (match.deadline is None and not match.stopped):
        return False
    if match.deadline is not None and arrived <= match.deadline:
        return False
    clocks.refresh(match)
    over = over_at(match) if match.stopped else match.deadline
    return over is not None and arrived > over and over <= (asleep_since(arrived) or over)


@transaction.atomic
def claim(seat: Seat, *, now: datetime, letter: int | None = None) -> None:
    """CLAIM: the opponent has let their time run out. Refuses K02 (no clock), K03 (their time is not over)."""
    match = seat.match
    if match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=match)
    if match.flagged_at is None or match.agreed.policy != "claim" or seat.is_to_move:
        raise Refused(Code.NOTHING_TO_CLAIM, match=match)
    finish(match, Outcome(Side(seat.side), "time"), now=now, side=seat.side, letter=letter)


@transaction.atomic
def give_back(player: Player, since: datetime, now: datetime) -> None:
    """The time from `since` on in which it was their turn and they could not know it."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        if seat.is_to_move or seat.clock_turns.filter(until__gt=since).exists():
            clocks.stand_still(seat, since, now, Reason.MAILBOX)


@transaction.atomic
def stand_still_until(player: Player, since: datetime, until: datetime) -> None:
    """The player's clocks, in all matches that are being played, do not run from `since` to `until`."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        clocks.stand_still(seat, since, until, Reason.MAILBOX)


@transaction.atomic
def run_again(player: Player, since: datetime, now: datetime) -> None:
    """What `stand_still_until` began is over earlier than was said."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        rows = Stoppage.objects.filter(match=match, seat__player=player, since=since, why=Reason.MAILBOX)
        if rows.filter(until__gt=now).update(until=now):
            recount(match, since)
