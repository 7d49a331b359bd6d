"""Nobody loses on time while anything that arrived before the deadline may still hold their move.

A message that faults of the environment keep unopened for hours holds the matches of those who may have written it,
and nobody else's; if it does not tell who that is, or such faults are everywhere, everybody waits.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Min, OuterRef, Q

from pbem.inbox.models import LONGEST_KEEPING, MOST_CREDIT, Confirmation, InboundMail
from pbem.inbox.resolver import possible_writers
from pbem.matches.clock.deadlines import flag
from pbem.matches.clock.outages import alive_until, held_since
from pbem.matches.models import Match, MatchQuerySet, Seat
from pbem.outbox.delivery.clock_start import begin_with, not_taken

log = logging.getLogger(__name__)
MATCH_QUEUE = "match:"  # of a message to an address of that match; it may name others of its players, too
MOST_APART = 20  # queues, and messages that are looked at from outside


@dataclass(frozen=True)
class Apart:
    """What waits in a queue for a message in faults, since the first of it arrived, and who may have written it."""

    queue_key: str
    since: datetime
    players: frozenset[int]


def flag_overdue(*, now: datetime) -> int:
    """End every match whose time is over beyond doubt; how many. Run it as often as you like."""
    overdue = overdue_beyond_doubt(now)
    for letter in not_taken(overdue):
        begin_with(letter, now)
    return sum(_flagged(overdue, pk, now) for pk in overdue.values_list("pk", flat=True))


def overdue_beyond_doubt(now: datetime) -> MatchQuerySet:
    alive = alive_until(now)
    if alive is None:
        return Match.objects.none()
    apart = _in_faults()
    before = opened_until(alive, [each.queue_key for each in apart])
    held = held_since(now) or before
    overdue = without_question(Match.objects.overdue(min(before, held)), before)
    for each in apart:
        theirs = Seat.objects.filter(match=OuterRef("pk"), player__in=each.players)
        overdue = overdue.exclude(Q(deadline__gte=each.since) & Exists(theirs))
    return overdue


def without_question(matches: MatchQuerySet, at: datetime) -> MatchQuerySet:
    """But for those in which a YES to a move that came in time would still have come in time."""
    asked = Confirmation.objects.of_turn().filter(letter__received_at__lte=OuterRef("deadline"))
    agreed = asked.filter(agreed=True)  # once a turn: who has had their YES waits for no other
    helped = Q(deadline__gte=at - MOST_CREDIT)  # a YES after that comes too late
    return matches.exclude(helped & Exists(asked.open(at)) & ~Exists(agreed))


def _in_faults() -> list[Apart]:
    """The queues with a message that is in faults, but for those that may be anybody's."""
    unopened = InboundMail.objects.unopened()
    faulty = (
        unopened.filter(faulty_since__isnull=False).order_by("queue_key").values_list("queue_key", flat=True)
    )
    queues = list(faulty.distinct()[: MOST_APART + 1])
    if len(queues) > MOST_APART:
        return []
    since = (
        unopened.filter(queue_key__in=queues).values_list("queue_key").annotate(Min("received_at")).order_by()
    )
    known = ((queue_key, earliest, _players(queue_key)) for queue_key, earliest in since)
    return [
        Apart(queue_key, earliest, players) for queue_key, earliest, players in known if players is not None
    ]


def _players(queue_key: str) -> frozenset[int] | None:
    """Who may have written what waits in it; None: anybody."""
    if queue_key.startswith(MATCH_QUEUE):
        return frozenset(
            Seat.objects.filter(match=int(queue_key.removeprefix(MATCH_QUEUE))).values_list(
                "player", flat=True
            )
        )
    waiting = InboundMail.objects.unopened().filter(queue_key=queue_key).defer("raw")
    players: set[int] = set()
    for number, row in enumerate(waiting.iterator()):
        writers = possible_writers(row) if number < MOST_APART else None
        if writers is None:
            return None
        players |= writers
    return frozenset(players)


def opened_until(alive: datetime, apart: Iterable[str] = ()) -> datetime:
    """Every letter that arrived before this moment has been opened, or was shunted, but for those in queues `apart`.

    A letter that is being kept has arrived, and is in no table yet. How long ago that was, the clock of its door
    knows, which may not agree with ours: hence the moment until which each part is known to have lived.
    """
    kept = alive - LONGEST_KEEPING
    unopened = InboundMail.objects.unopened().exclude(queue_key__in=list(apart))
    earliest = unopened.aggregate(earliest=Min("received_at"))["earliest"]
    return min(kept, earliest or kept)


def _flagged(overdue: MatchQuerySet, pk: int, now: datetime) -> bool:
    """A match that cannot be ended keeps no other waiting."""
    try:
        return flag(overdue, pk, now=now)
    except Exception:
        log.exception("match %s cannot be ended on time", pk)
        return False
