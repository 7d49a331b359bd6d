"""Celery tasks of contests: rounds end, and editions and rounds begin."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from random import Random, SystemRandom

from celery import shared_task
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.protocol import Outcome, Side
from pbem.competitions import challenges, tournaments
from pbem.competitions.entries import locked
from pbem.competitions.models import Competition, Edition, Entrant
from pbem.competitions.rounds import begin_edition, begin_round, end_edition, enter_again
from pbem.competitions.systems.ladder import SelfStarting, Waiting, beginning
from pbem.competitions.systems.settings import Unfinished
from pbem.matches.arbitration import ADJUDICATED
from pbem.matches.clock import ledger
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match, Seat
from pbem.queue.one_at_a_time import one_at_a_time
from pbem.refusals import Refused

# Unfinished matches at the end of a round


def conclude(edition: Edition, *, now: datetime) -> None:
    """Ends unfinished matches as the settings say; not where clocks go on or the organiser decides."""
    decide = _DECISIONS.get(edition.contest.chosen.unfinished)
    for match in edition.unfinished().locked() if decide else ():
        assert decide is not None
        winner = decide(match, now)
        why = edition.contest.chosen.unfinished
        finish(match, Outcome(winner, ADJUDICATED), now=now, side=None, unfinished=why)


def _half(match: Match, now: datetime) -> Side | None:
    return None


def _less_time(match: Match, now: datetime) -> Side | None:
    """Returns the player who used less time; without clocks, the one who is not to move."""
    first, second = (_used(seat, now) for seat in match.seated)
    if first is None or second is None:
        return None if match.to_move is None else Side(match.to_move).other
    if first == second:
        return None
    return Side.FIRST if first < second else Side.SECOND


def _used(seat: Seat, now: datetime) -> timedelta | None:
    """Returns the time used, with the current turn so far. None without a clock."""
    if seat.bank is None:
        return None
    if seat.running_since is None:
        return seat.bank_used
    since = seat.running_since
    return seat.bank_used + ledger.book_of(seat.match, since).reckoning(seat, since).elapsed(since, now)


_DECISIONS: Mapping[str, Callable[[Match, datetime], Side | None]] = {
    Unfinished.HALF: _half,
    Unfinished.TIME: _less_time,
}


# Sweep

log = logging.getLogger(__name__)


def begin_and_end(*, now: datetime, rng: Random) -> None:
    """Runs what is due, idempotently, in a transaction per contest. A failure does not delay the others."""
    tournaments.sweep(now=now, rng=rng)
    for pk in list(
        Competition.objects.automatic().filter(closed_at=None).order_by("pk").values_list("pk", flat=True)
    ):
        try:
            go_on(pk, now=now, rng=rng)
        except Exception:
            log.exception("contest %s", pk)


@transaction.atomic
def go_on(pk: int, *, now: datetime, rng: Random) -> None:
    """Runs what is due in one contest. A concurrent second call does nothing."""
    contest = locked(pk)
    if contest.closed_at is not None:
        return
    _begin(contest, now=now, rng=rng)
    for edition in contest.editions.filter(ended_at=None).order_by("number"):
        edition.contest = contest
        if contest.has_order:
            challenges.settle(edition, now=now)
            challenges.go_on(edition, now=now, rng=rng)
        else:
            _finish_round(edition, now=now, rng=rng)


def _finish_round(edition: Edition, *, now: datetime, rng: Random) -> None:
    if edition.round_ends_at is not None and edition.round_ends_at <= now:
        conclude(edition, now=now)
    if edition.unfinished().exists():
        return
    if not begin_round(edition, now=now, rng=rng):
        end_edition(edition, now=now)


def _begin(contest: Competition, *, now: datetime, rng: Random) -> None:
    chosen = contest.chosen
    if isinstance(chosen, SelfStarting):
        last = contest.editions.order_by(F("began_at").desc()).values_list("began_at", flat=True).first()
        rows = contest.entrants.filter(edition=None, state=Entrant.State.ENTERED)
        waiting = [Waiting(row.player_id, row.entered_at) for row in rows]
        if players := beginning(waiting, chosen.size, last_began=last, now=now):
            edition = begin_edition(contest, now=now, rng=rng, players=players)
            always = edition.entrants.filter(always=True)  # entries open now, the first day is a week off
            enter_again(contest, always.values_list("player", flat=True), now=now)
    elif contest.begins_at is not None and contest.begins_at <= now:
        try:
            with transaction.atomic():
                begin_edition(contest, now=now, rng=rng)
        except Refused as too_few:  # waits for more players, or for the organiser
            log.info("contest %s does not begin: %s", contest.pk, too_few)


@shared_task(name="pbem.contests.tasks.sweep")  # stored in queues: does not change
@one_at_a_time
def sweep() -> None:
    """Begins and ends editions and rounds."""
    begin_and_end(now=timezone.now(), rng=SystemRandom())
