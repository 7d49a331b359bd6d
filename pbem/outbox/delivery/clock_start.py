"""Starts turn clocks when letters leave, holds clocks for shunted messages, and finds overtaken letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import F, Q

from pbem.matches.clock import outages
from pbem.matches.clock import service as clocks
from pbem.matches.models import Component, Event, Match, MatchQuerySet, Reason, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.announcements import ROUND, matches_of
from pbem.outbox.notifications.kinds import Trait, kinds

LONGEST = timedelta(hours=24)  # then the clock runs even if the letter has not left, so that matches end
AT_ONCE = timedelta(minutes=1)
BRINGS_THE_TURN = kinds(Trait.BRINGS_TURN)


def begin_with(row: OutboundMail, now: datetime) -> None:
    """Starts the clocks of the turns that the letter announces, on each attempt."""
    # Early attempts and letters without a clock need no query.
    timed = row.match.agreed.control is not None if row.match else tells_of_a_round(row)
    if not timed or now - row.created_at <= AT_ONCE:
        return
    if row.match is None or brings_the_turn(row):
        outages.record_heartbeat(Component.WORKER, now=now)  # our worker may have been down
        with transaction.atomic():
            _begin(row, min(now, row.created_at + LONGEST))
            if row.match:
                row.match.refresh_from_db(fields=["deadline"])


def brings_the_turn(row: OutboundMail) -> bool:
    """Tells whether the letter announces the current turn."""
    under_way = row.match is not None and row.ply == row.match.ply
    return under_way and any(section["kind"] in BRINGS_THE_TURN for section in row.sections)


def tells_of_a_round(row: OutboundMail) -> bool:
    """Tells whether the letter announces the first turns of a round."""
    return row.match_id is None and any(section["kind"] == ROUND for section in row.sections)


def of_round(row: OutboundMail) -> MatchQuerySet:
    """Returns the matches being played that the letter tells its reader of."""
    rounds = (matches_of(section) for section in row.sections if section["kind"] == ROUND)
    either = reduce(or_, rounds, Q(pk__in=()))
    return Match.objects.filter(either, seats__player=row.player_id, status=Match.Status.PLAYING)


def turns_brought(row: OutboundMail) -> MatchQuerySet:
    """Returns those of its matches in which the reader has the first turn now."""
    return of_round(row).filter(ply=0, seats__side=F("to_move"))


def not_taken(matches: MatchQuerySet) -> Iterable[OutboundMail]:
    """Yields the letters about the current turns that no relay has taken yet."""
    ours = OutboundMail.objects.filter(
        status__in=(OutboundMail.Status.WAITING, OutboundMail.Status.FAILED)
    ).select_related("match", "player")
    seats = Seat.objects.filter(match__in=matches.order_by(), match__ply=0, match__tournament__isnull=False)
    rounds = ours.filter(kind=ROUND, match=None, player__in=seats.values("player"))
    yield from ours.filter(match__in=matches.order_by(), ply=F("match__ply"))
    yield from rounds


def _begin(row: OutboundMail, moment: datetime) -> None:
    still = Match.objects.filter(pk=row.match_id or 0, status=Match.Status.PLAYING)
    for match in (still if row.match_id else turns_brought(row)).locked():
        seat = match.moving
        if seat is not None and seat.player_id == row.player_id and match.ply == (row.ply or 0):
            clocks.exempt(seat, row.created_at, moment, Reason.TRANSIT)


# Holds: a shunted message stops the clock of its match from its arrival until it is handled. Several messages
# may hold one match.

SHUNTED = "shunted"  # reason of the stopped clock


def hold(match: int | None, since: datetime) -> Match | None:
    """Stops the match's clock from `since`. None when it is not being played."""
    if match is None:
        return None
    held = Match.objects.filter(pk=match, status=Match.Status.PLAYING).locked().first()
    if held is not None:
        clocks.stop(held, since, SHUNTED)
    return held


def let_go(match: int, now: datetime) -> None:
    """Restarts the clock when no other message holds the match."""
    free = Match.objects.filter(pk=match, status=Match.Status.PLAYING).locked().first()
    if free is not None and not (free.held_by_inboundmail.exists() or free.held_by_outboundmail.exists()):
        clocks.resume(free, now, SHUNTED)


def hold_round(row: OutboundMail) -> None:
    """Holds all matches in which the reader of a shunted round letter has the first turn."""
    for match in list(turns_brought(row).values_list("pk", flat=True)):
        hold(match, row.created_at)


def let_round_go(row: OutboundMail, now: datetime) -> None:
    """Releases the matches that a round letter held."""
    for match in of_round(row):
        if SHUNTED in match.stopped:
            let_go(match.pk, now)


def standing_still(matches: MatchQuerySet, inbound: type) -> MatchQuerySet:
    """Returns the matches held by a message. `inbound` is the model of incoming messages."""
    arrived, leaving = (
        rows._default_manager.filter(holds__isnull=False).order_by().values("holds")  # type: ignore[attr-defined]
        for rows in (inbound, OutboundMail)
    )
    # A union, since two conditions would be evaluated for each match.
    return matches.filter(pk__in=arrived.union(leaving))


# Overtaken letters

Status = OutboundMail.Status
SHOW_THE_BOARD = kinds(Trait.SHOWS_BOARD)


@dataclass(frozen=True)
class Overtaken:
    """`by` is the later letter. None when the reader has moved already."""

    by: OutboundMail | None


def overtaken(row: OutboundMail) -> Overtaken | None:
    """Tells whether a turn letter is obsolete. None when it must be sent, as with a message."""
    # A later letter counts only while it is waiting or sent.
    if row.match is None or row.ply is None or row.match.ply <= row.ply:
        return None
    if any(section["kind"] != "turn" for section in row.sections) or _has_message(row):
        return None
    later = _later(row)
    return Overtaken(later) if later or _has_moved(row) else None


def _has_message(row: OutboundMail) -> bool:
    assert row.match
    told = Event.objects.filter(pk__in=[section["event"] for section in row.sections])
    first = [facts["first"] for facts in told.values_list("facts", flat=True) if "first" in facts]
    return row.match.turns.filter(ply__in=first).exclude(message="").exists()


def _later(row: OutboundMail) -> OutboundMail | None:
    """Returns the newest waiting or sent letter with a later board for the same reader, or None."""
    to_him = OutboundMail.objects.filter(player=row.player_id, match=row.match_id, ply__gt=row.ply)
    alive = to_him.filter(status__in=(Status.WAITING, Status.SENT)).order_by("-ply", "-pk")
    shows = (more for more in alive if any(s["kind"] in SHOW_THE_BOARD for s in more.sections))
    return next(shows, None)


def _has_moved(row: OutboundMail) -> bool:
    assert row.match
    seat = next((seat for seat in row.match.seated if seat.player_id == row.player_id), None)
    return seat is not None and row.match.live_turns().filter(ply__gte=row.ply, side=seat.side).exists()
