"""Nobody loses on time while anything that arrived before the deadline may still hold their move.

Of a message that faults of the environment keep unopened for hours it is known in whose match it was written: it holds
the matches of these players, and nobody else's. Should such faults be everywhere, everybody waits.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, Min, OuterRef, Q

from pbem.inbox.models import LONGEST_KEEPING, MOST_CREDIT, Confirmation, InboundMail
from pbem.matches.models import Match, MatchQuerySet, Seat
from pbem.matches.time.deadlines import flag
from pbem.matches.time.heartbeat import alive_until, is_waking
from pbem.outbox.sending.transit import begin_with, not_taken

log = logging.getLogger(__name__)
LANE = (
    "match:"  # of a message to an address of that match; its match's player may name others of theirs in it
)
MOST_APART = 20  # matches


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
    apart = _in_faults()
    before = opened_until(alive, apart)
    asked = Confirmation.objects.of_turn().filter(letter__received_at__lte=OuterRef("deadline"))
    agreed = asked.filter(agreed=True)  # once a turn: who has had his YES waits for no other
    helped = Q(deadline__gte=before - MOST_CREDIT)  # a YES after that comes too late
    overdue = Match.objects.overdue(before).exclude(helped & Exists(asked.open(before)) & ~Exists(agreed))
    for match, since in apart.items():
        theirs = Seat.objects.filter(match=OuterRef("pk"), player__seats__match=match)
        overdue = overdue.exclude(Q(deadline__gte=since) & Exists(theirs))
    return overdue


def _in_faults() -> dict[int, datetime]:
    """Matches with a message that is in faults, and when the first unopened one about each arrived."""
    unopened = InboundMail.objects.unopened().filter(lane__startswith=LANE)
    lanes = set(unopened.filter(faulty_since__isnull=False).values_list("lane", flat=True))
    if len(lanes) > MOST_APART:
        return {}
    since = unopened.filter(lane__in=lanes).values_list("lane").annotate(Min("received_at"))
    return {int(lane.removeprefix(LANE)): earliest for lane, earliest in since.order_by()}


def opened_until(alive: datetime, apart: Iterable[int] = ()) -> datetime:
    """Every letter that arrived before this moment has been opened, or was shunted, but for those `apart`.

    A letter that is being kept has arrived, and is in no table yet. How long ago that was, the clock of its door
    knows, which may not agree with ours: hence the moment until which each part is known to have lived.
    """
    kept = alive - LONGEST_KEEPING
    lanes = [f"{LANE}{match}" for match in apart]
    unopened = InboundMail.objects.unopened().exclude(lane__in=lanes).aggregate(earliest=Min("received_at"))
    return min(kept, unopened["earliest"] or kept)


def _flagged(overdue: MatchQuerySet, pk: int, now: datetime) -> bool:
    """A match that cannot be ended keeps no other waiting."""
    try:
        return flag(overdue, pk, now=now)
    except Exception:
        log.exception("match %s cannot be ended on time", pk)
        return False
