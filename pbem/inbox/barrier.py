"""Nobody loses on time while anything that arrived before the deadline may still hold his move."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db.models import Exists, Min, OuterRef, Q

from pbem.inbox.models import LONGEST_KEEPING, MOST_CREDIT, Confirmation, InboundMail
from pbem.matches.models import Match, MatchQuerySet
from pbem.matches.time.deadlines import flag
from pbem.matches.time.heartbeat import alive_until, is_waking
from pbem.outbox.sending.transit import begin_with, not_taken

log = logging.getLogger(__name__)


def flag_overdue(*, now: datetime) -> int:
    """End every match whose time is over beyond doubt; how many. Run it as often as you like."""
    overdue = overdue_beyond_doubt(now)
    for letter in not_taken(overdue):
        begin_with(letter, now)
    return sum(_flagged(overdue, pk, now) for pk in overdue.values_list("pk", flat=True))


def overdue_beyond_doubt(now: datetime) -> MatchQuerySet:
    alive = alive_until(now)
    if alive is None or is_waking(now):
        return Match.objects.none()
    before = opened_until(alive)
    asked = Confirmation.objects.of_turn().filter(letter__received_at__lte=OuterRef("deadline"))
    agreed = asked.filter(agreed=True)  # once a turn: who has had his YES waits for no other
    helped = Q(deadline__gte=before - MOST_CREDIT)  # a YES after that comes too late
    return Match.objects.overdue(before).exclude(helped & Exists(asked.open(before)) & ~Exists(agreed))


def opened_until(alive: datetime) -> datetime:
    """Every letter that arrived before this moment has been opened, or was shunted.

    A letter that is being kept has arrived, and is in no table yet. How long ago that was, the clock of its door
    knows, which may not agree with ours: hence the moment until which each part is known to have lived.
    """
    kept = alive - LONGEST_KEEPING
    unopened = InboundMail.objects.unopened().aggregate(earliest=Min("received_at"))
    return min(kept, unopened["earliest"] or kept)


def _flagged(overdue: MatchQuerySet, pk: int, now: datetime) -> bool:
    """A match that cannot be ended keeps no other waiting."""
    try:
        return flag(overdue, pk, now=now)
    except Exception:
        log.exception("match %s cannot be ended on time", pk)
        return False
