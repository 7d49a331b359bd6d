"""The clock of a turn begins when its letter is written for the relay that takes it: waiting with us is no thinking."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from pbem.matches.clock import heartbeat
from pbem.matches.clock import service as clocks
from pbem.matches.models import Component, Match, MatchQuerySet, Reason
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import Trait, kinds

LONGEST = timedelta(hours=24)  # then the clock runs though nobody may have told them: a match has to end
AT_ONCE = timedelta(minutes=1)
BRINGS_THE_TURN = kinds(Trait.BRINGS_TURN)


def begin_with(row: OutboundMail, now: datetime) -> None:
    """The letter is about to be written, as often as it is tried. At the first try, or without a clock, no query."""
    if row.match is None or row.match.agreed.control is None or now - row.created_at <= AT_ONCE:
        return
    if brings_the_turn(row):
        heartbeat.wake(Component.WORKER, now=now)  # it may have been we who were away
        with transaction.atomic():
            _begin(row, min(now, row.created_at + LONGEST))
            row.match.refresh_from_db(fields=["deadline"])


def brings_the_turn(row: OutboundMail) -> bool:
    """Whether it tells of the turn under way."""
    under_way = row.match is not None and row.ply == row.match.ply
    return under_way and any(section["kind"] in BRINGS_THE_TURN for section in row.sections)


def not_taken(matches: MatchQuerySet) -> Iterable[OutboundMail]:
    """The letters about the turn under way that no relay has taken yet."""
    ours = (OutboundMail.Status.WAITING, OutboundMail.Status.FAILED)
    turns = OutboundMail.objects.filter(match__in=matches.order_by(), ply=F("match__ply"), status__in=ours)
    return turns.select_related("match", "player")


def _begin(row: OutboundMail, moment: datetime) -> None:
    still = Match.objects.filter(pk=row.match_id or 0, status=Match.Status.PLAYING)
    match = still.locked().first()
    seat = match.moving if match and match.ply == row.ply else None
    if seat is not None and seat.player_id == row.player_id:
        clocks.stand_still(seat, row.created_at, moment, Reason.TRANSIT)
