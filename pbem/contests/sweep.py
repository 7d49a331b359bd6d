"""What has to be done for contests when its time comes: editions begin, rounds end, the next ones begin."""

from __future__ import annotations

import logging
from datetime import datetime
from random import Random

from django.db import transaction
from django.db.models import F

from pbem.contests import challenges, tournaments
from pbem.contests.entries import locked
from pbem.contests.models import Contest, Edition, Entrant
from pbem.contests.rounds import begin_edition, begin_round, end_edition, enter_again
from pbem.contests.systems.self_starting import SelfStarting, Waiting, beginning
from pbem.contests.unfinished import conclude
from pbem.refusals import Refused

log = logging.getLogger(__name__)


def sweep(*, now: datetime, rng: Random) -> None:
    """Run it as often as you like: each contest in a transaction of its own, and one that fails keeps no other
    waiting."""
    tournaments.sweep(now=now, rng=rng)
    for pk in list(Contest.objects.filter(closed_at=None).order_by("pk").values_list("pk", flat=True)):
        try:
            go_on(pk, now=now, rng=rng)
        except Exception:
            log.exception("contest %s", pk)


@transaction.atomic
def go_on(pk: int, *, now: datetime, rng: Random) -> None:
    """Whatever is due in one contest. Done twice at once, the second finds nothing to do."""
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


def _begin(contest: Contest, *, now: datetime, rng: Random) -> None:
    chosen = contest.chosen
    if isinstance(chosen, SelfStarting):
        last = contest.editions.order_by(F("began_at").desc()).values_list("began_at", flat=True).first()
        rows = contest.entrants.filter(edition=None, state=Entrant.State.ENTERED)
        waiting = [Waiting(row.player_id, row.entered_at) for row in rows]
        if players := beginning(waiting, chosen.size, last_began=last, now=now):
            edition = begin_edition(contest, now=now, rng=rng, players=players)
            always = edition.entrants.filter(
                always=True
            )  # its list opens now, though its first day is a week off
            enter_again(contest, always.values_list("player", flat=True), now=now)
    elif contest.begins_at is not None and contest.begins_at <= now:
        try:
            with transaction.atomic():
                begin_edition(contest, now=now, rng=rng)
        except Refused as too_few:  # it waits for more, or for the organiser
            log.info("contest %s does not begin: %s", contest.pk, too_few)
