"""What the end of a deadline brings, and time that counts for nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, Min

from games.protocol import Outcome, Side
from pbem.matches.ending import finish
from pbem.matches.events import happened
from pbem.matches.models import Event, Match, MatchQuerySet, Seat
from pbem.matches.time import clocks
from pbem.matches.time.brink import rescue
from pbem.matches.time.clock import DAY, NOTHING
from pbem.players.models import Holiday, Player
from pbem.refusals import Refused

Policy = Callable[[Match, datetime], None]


def lose(match: Match, now: datetime) -> None:
    """He loses."""
    assert match.to_move is not None
    finish(match, Outcome(Side(match.to_move).other, "time"), now=now, side=None)


def spend_absence(match: Match, now: datetime) -> None:
    """A day of his absence is spent; without one he loses."""
    seat = match.moving
    if seat is None or not rescue(seat, now):
        lose(match, now)


def leave_to_others(match: Match, now: datetime) -> None:
    """The opponent, or the organiser, decides what follows. Both players hear of it."""
    match.flagged_at, match.deadline = match.deadline, None
    match.save(update_fields=["flagged_at", "deadline"])
    happened(match, Event.Kind.OVERSTEPPED, now=now)


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
    POLICIES[match.agreed.policy](match, now)
    return True


def check_in_time(seat: Seat, arrived: datetime) -> None:
    """The time of the player to move ends with the moment of his deadline. Refuses G07, K04."""
    match = seat.match
    if not seat.is_to_move or match.agreed.policy == "claim":
        return
    if match.flagged_at is not None:
        raise Refused("K04", match=match)
    if match.deadline is not None and arrived > match.deadline:
        raise Refused("G07", match=match)


@transaction.atomic
def claim(seat: Seat, *, now: datetime, letter: int | None = None) -> None:
    """CLAIM: the opponent has let his time run out. Refuses K02 (no clock), K03 (his time is not over)."""
    match = seat.match
    if match.agreed.control is None:
        raise Refused("K02", match=match)
    if match.flagged_at is None or match.agreed.policy != "claim" or seat.is_to_move:
        raise Refused("K03", match=match)
    finish(match, Outcome(Side(seat.side), "time"), now=now, side=seat.side, letter=letter)


def credit(matches: MatchQuerySet, lost: timedelta) -> int:
    """Give `lost` to the clocks that run, in a few statements; how many matches it were.

    Only where somebody's clock stands still at times may a deadline not move by just that.
    """
    timed = matches.timed().order_by()
    running = Seat.objects.filter(match__in=timed, running_since__isnull=False)
    halting = (
        running if _meet_a_holiday(timed, lost) else running.filter(player__in=Player.objects.with_hours())
    )
    own_hours = list(halting.values_list("match", flat=True))
    running.update(bank_left=F("bank_left") + lost, bank_used=F("bank_used") - lost)
    moved = timed.update(deadline=F("deadline") + lost, remind_at=F("remind_at") + lost)
    for match in Match.objects.filter(pk__in=own_hours):
        clocks.refresh(match)
    return moved


@transaction.atomic
def give_back(player: Player, since: datetime, now: datetime) -> None:
    """The time from `since` on in which it was his turn and he could not know it."""
    for match in Match.objects.of(player).timed().locked():
        seat = match.moving
        if seat is None or seat.player_id != player.pk:
            continue
        if seat.running_since is not None:
            clocks.forgive(seat, since, now)
        else:  # a deadline that somebody set by hand
            last = match.live_turns().values_list("played_at", flat=True).last() or match.started_at or since
            credit(Match.objects.filter(pk=match.pk), max(now - max(since, last), NOTHING))


def _meet_a_holiday(matches: MatchQuerySet, lost: timedelta) -> bool:
    """Whether deadlines that move by `lost` may reach a holiday, in any time zone."""
    reach = matches.aggregate(first=Min("deadline"), last=Max("deadline"))
    if reach["first"] is None:
        return False
    days = (reach["first"] - DAY).date(), (reach["last"] + lost + DAY).date()
    return Holiday.objects.filter(day__range=days).exists()
