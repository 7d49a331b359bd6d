"""Time forfeits: flags overdue matches, unless a letter from before the deadline may still hold a move.

A letter stuck in faults holds the matches of its possible senders; all matches wait when those are unknown or
faults are everywhere.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Min, OuterRef, Q

from pbem.inbox.models import CODE_LIVES, LONGEST_KEEPING, MOST_CREDIT, Confirmation, InboundMail
from pbem.inbox.resolver import possible_writers
from pbem.matches.clock.deadlines import flag
from pbem.matches.clock.outages import held_since, up_until
from pbem.matches.models import Match, MatchQuerySet, Seat
from pbem.outbox.delivery.clock_start import begin_with, not_taken

log = logging.getLogger(__name__)
MATCH_QUEUE = "match:"  # prefix of a match's queue
MOST_APART = 20  # queues, and letters examined in each


@dataclass(frozen=True)
class Apart:
    """A queue with a letter in faults, the arrival of its first letter, and its possible senders."""

    queue_key: str
    since: datetime
    players: frozenset[int]


def flag_overdue(*, now: datetime) -> int:
    """Ends every match that is overdue beyond doubt; returns how many. May be called any number of times."""
    overdue = overdue_beyond_doubt(now)
    for letter in not_taken(overdue):
        begin_with(letter, now)
    return sum(_flagged(overdue, pk, now) for pk in overdue.values_list("pk", flat=True))


def overdue_beyond_doubt(now: datetime) -> MatchQuerySet:
    alive = up_until(now)
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
    """Excludes matches in which a YES to a timely move would still count."""
    asked = Confirmation.objects.of_turn().filter(letter__received_at__lte=OuterRef("deadline"))
    agreed = asked.filter(agreed=True)  # one YES per turn
    helped = Q(deadline__gte=at - MOST_CREDIT)  # a later YES would not count
    matches = matches.exclude(helped & Exists(asked.open(at)) & ~Exists(agreed))
    # A move that was posted in time at a board may wait for the code of its browser.
    coded = Q(
        player__sign_ins__begun_at__gt=at - CODE_LIVES, player__sign_ins__begun_at__lte=OuterRef("deadline")
    )
    return matches.exclude(Exists(Seat.objects.filter(coded, match=OuterRef("pk"), side=OuterRef("to_move"))))


def _in_faults() -> list[Apart]:
    """The queues with a letter in faults and known senders. Empty when there are too many."""
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
    """The possible senders of the letters in the queue. None when unknown."""
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
    """The moment up to which all arrived letters are opened or shunted, except in queues `apart`.

    Letters that are being kept are in no table yet, hence LONGEST_KEEPING. The mail door's clock may differ,
    hence `alive`.
    """
    kept = alive - LONGEST_KEEPING
    unopened = InboundMail.objects.unopened().exclude(queue_key__in=list(apart))
    earliest = unopened.aggregate(earliest=Min("received_at"))["earliest"]
    return min(kept, earliest or kept)


def _flagged(overdue: MatchQuerySet, pk: int, now: datetime) -> bool:
    """Flags the match; logs errors, so that they do not hold up other matches."""
    try:
        return flag(overdue, pk, now=now)
    except Exception:
        log.exception("match %s cannot be ended on time", pk)
        return False
