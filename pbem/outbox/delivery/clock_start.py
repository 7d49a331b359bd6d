"""The clock of a turn begins when its letter is written for the relay that takes it: waiting with us is no thinking."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import F, Q

from pbem.matches.clock import heartbeat
from pbem.matches.clock import service as clocks
from pbem.matches.models import Component, Match, MatchQuerySet, Reason, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.contests import ROUND, matches_of
from pbem.outbox.notifications.kinds import Trait, kinds

LONGEST = timedelta(hours=24)  # then the clock runs though nobody may have told them: a match has to end
AT_ONCE = timedelta(minutes=1)
BRINGS_THE_TURN = kinds(Trait.BRINGS_TURN)


def begin_with(row: OutboundMail, now: datetime) -> None:
    """The letter is about to be written, as often as it is tried. At the first try, or without a clock, no query."""
    timed = row.match.agreed.control is not None if row.match else tells_of_a_round(row)
    if not timed or now - row.created_at <= AT_ONCE:
        return
    if row.match is None or brings_the_turn(row):
        heartbeat.wake(Component.WORKER, now=now)  # it may have been we who were away
        with transaction.atomic():
            _begin(row, min(now, row.created_at + LONGEST))
            if row.match:
                row.match.refresh_from_db(fields=["deadline"])


def brings_the_turn(row: OutboundMail) -> bool:
    """Whether it tells of the turn under way."""
    under_way = row.match is not None and row.ply == row.match.ply
    return under_way and any(section["kind"] in BRINGS_THE_TURN for section in row.sections)


def tells_of_a_round(row: OutboundMail) -> bool:
    """Whether it brings the first turns of several matches at once."""
    return row.match_id is None and any(section["kind"] == ROUND for section in row.sections)


def of_round(row: OutboundMail) -> MatchQuerySet:
    """All matches that it tells its reader of."""
    rounds = (matches_of(section) for section in row.sections if section["kind"] == ROUND)
    either = reduce(or_, rounds, Q(pk__in=()))
    return Match.objects.filter(either, seats__player=row.player_id, status=Match.Status.PLAYING)


def turns_brought(row: OutboundMail) -> MatchQuerySet:
    """Those of them in which the first turn is under way, and its reader's."""
    return of_round(row).filter(ply=0, seats__side=F("to_move"))


def not_taken(matches: MatchQuerySet) -> Iterable[OutboundMail]:
    """The letters about the turn under way that no relay has taken yet."""
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
            clocks.stand_still(seat, row.created_at, moment, Reason.TRANSIT)
