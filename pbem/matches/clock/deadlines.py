"""Flag fall (loss on time): policies, claims, late moves; and time given back to unreachable players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction

from games.protocol import Outcome, Side
from pbem.matches.clock import service as clocks
from pbem.matches.clock.absences import take_absence_at_deadline
from pbem.matches.clock.outages import asleep_since
from pbem.matches.clock.recalculation import over_at, recount
from pbem.matches.events import record_event
from pbem.matches.lifecycle import finish
from pbem.matches.models import Event, ExemptInterval, Match, MatchQuerySet, Reason, Seat
from pbem.players.models import Player
from pbem.refusals import Code, Refused

Policy = Callable[[Match, datetime], None]


def lose(match: Match, now: datetime) -> None:
    """Ends the match: the player to move loses on time."""
    assert match.to_move is not None
    finish(match, Outcome(Side(match.to_move).other, "time"), now=now, side=None)


def spend_absence(match: Match, now: datetime) -> None:
    """Takes a day of the player's absence; without one they lose."""
    seat = match.moving
    if seat is None or not take_absence_at_deadline(seat, now):
        lose(match, now)


def leave_to_others(match: Match, now: datetime) -> None:
    """Flags the match: the opponent or the organiser decides. Notifies both players."""
    match.flagged_at, match.deadline = match.deadline, None
    match.save(update_fields=["flagged_at", "deadline"])
    record_event(match, Event.Kind.FLAGGED, now=now)


# Policies by their stored names.
POLICIES: Mapping[str, Policy] = {
    "loss": lose,
    "claim": leave_to_others,  # the opponent may CLAIM; until then a late move counts
    "absence": spend_absence,
    "adjudicate": leave_to_others,  # the organiser decides; until then moves are refused
}


@transaction.atomic
def flag(overdue: MatchQuerySet, pk: int, *, now: datetime) -> bool:
    """Carries out the policy if the match is still `overdue` under a lock. Returns whether it did."""
    match = overdue.filter(pk=pk).locked().first()
    if match is None or match.to_move is None:
        return False
    deadline = match.deadline
    clocks.refresh(match)  # the stored deadline may be outdated
    if match.deadline != deadline and not overdue.filter(pk=pk).exists():
        return False
    POLICIES[match.agreed.policy](match, now)
    return True


def check_in_time(seat: Seat, arrived: datetime) -> None:
    """Refuses G07 (time was over) and K04 (the organiser decides); a move at the deadline is in time."""
    match = seat.match
    if not seat.is_to_move or match.agreed.policy == "claim":
        return
    if match.flagged_at is not None:
        raise Refused(Code.ORGANISER_DECIDES, match=match)
    if is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)


def is_late(match: Match, arrived: datetime) -> bool:
    """Returns whether the time of the player to move was over at `arrived`."""
    # A clock stopped after the deadline does not make a late move timely.
    # While a mail component is away no time runs out, though a letter may arrive by another one.
    if match.flagged_at is not None or (match.deadline is None and not match.stopped):
        return False
    if match.deadline is not None and arrived <= match.deadline:
        return False
    clocks.refresh(match)
    over = over_at(match) if match.stopped else match.deadline
    return over is not None and arrived > over and over <= (asleep_since(arrived) or over)


@transaction.atomic
def claim(seat: Seat, *, now: datetime, letter: int | None = None) -> None:
    """Claims the win after the opponent's time. Refuses K02 (no clock), K03 (their time is not over)."""
    match = seat.match
    if match.agreed.control is None:
        raise Refused(Code.NO_CLOCK, match=match)
    if match.flagged_at is None or match.agreed.policy != "claim" or seat.is_to_move:
        raise Refused(Code.NOTHING_TO_CLAIM, match=match)
    finish(match, Outcome(Side(seat.side), "time"), now=now, side=seat.side, letter=letter)


@transaction.atomic
def give_back(player: Player, since: datetime, now: datetime) -> None:
    """Gives back the time from `since` on in which the player was to move and could not be reached."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        if seat.is_to_move or seat.clock_turns.filter(until__gt=since).exists():
            clocks.exempt(seat, since, now, Reason.MAILBOX)


@transaction.atomic
def stand_still_until(player: Player, since: datetime, until: datetime) -> None:
    """Stops the player's clocks in all running matches from `since` to `until`."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        clocks.exempt(seat, since, until, Reason.MAILBOX)


@transaction.atomic
def run_again(player: Player, since: datetime, now: datetime) -> None:
    """Ends at `now` what `stand_still_until` began."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        rows = ExemptInterval.objects.filter(
            match=match, seat__player=player, since=since, why=Reason.MAILBOX
        )
        if rows.filter(until__gt=now).update(until=now):
            recount(match, since)


def under_a_clock(player: Player) -> list[Match]:
    """Returns the matches that can be lost on time, regardless of the side to move."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
    return [match for match in playing if match.agreed.control]
