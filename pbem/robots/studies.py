"""Studies: claims a row, asks a process, and tells the players who asked; after all robot moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from pbem.analysis import puzzles
from pbem.analysis.models import STUDY, AnalysisJob, AnalysisRequest
from pbem.matches.models import Match, Seat
from pbem.matches.plies import asked
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.models import claim_in_order
from pbem.queue.timer import Timer
from pbem.robots import services
from pbem.robots.engine import Answer, Failed, Limits, answer, is_spent
from pbem.robots.services import afresh, claim, set_aside

# Letters to the players who asked


def section_of(wish: AnalysisRequest) -> Section:
    study = wish.study
    told: Section = {"kind": str(study.kind), "study": study.pk, "match": study.match_id}
    return told | {"stage": wish.stage} if study.kind == AnalysisJob.Kind.HINT else told


def tell(study: AnalysisJob, *, now: datetime) -> None:
    """Tells the players still in the match, in the transaction that closes the row."""
    players = set(Seat.objects.filter(match=study.match_id).values_list("player", flat=True))
    for wish in study.wishes.filter(told_at=None, player__in=players).select_related("player"):
        wish.study = study
        write_to_player(
            wish.player,
            cause=f"wish:{wish.pk}",
            section=section_of(wish),
            match=study.match,
            ply=study.match.ply,
            now=now,
            answers=True,
        )
        AnalysisRequest.objects.filter(pk=wish.pk).update(told_at=now)


Kind, Status = AnalysisJob.Kind, AnalysisJob.Status
Question = Mapping[str, Any]
Engine = Callable[[str, Question, Limits], Answer]
LIMITS: Mapping[str, Limits] = {Kind.ANALYSIS: Limits(600), Kind.HINT: Limits(300)}
CHILDREN: Mapping[str, str] = {Kind.ANALYSIS: "games.engine.child", Kind.HINT: "games.engine.child"}
MARGIN = timedelta(seconds=30)  # of a lease, for the work after the study
HINTS_BY = 3  # the level of a robot
MOST_TRIES = 3
SWEPT = 100  # at a time
THINKS_FIRST = 20
LATER = timedelta(hours=1)  # the delay once the day's processor time is spent


def due(*, now: datetime) -> Iterable[int]:
    return AnalysisJob.objects.due(now).values_list("pk", flat=True)[:SWEPT]


def study_again(row: AnalysisJob, *, now: datetime) -> None:
    """Tries a failed study again, for the organiser; the players who asked are told anew."""
    with transaction.atomic():
        if AnalysisJob.objects.filter(pk=row.pk, status=Status.FAILED).update(**afresh(now)):
            row.wishes.update(told_at=None)
            enqueue_on_commit(STUDY, row.pk)


def study_next(pk: int, *, now: datetime) -> None:
    """Handles the task enqueued for `pk`: studies what is due, after the thinks that are due."""
    for think in list(services.due(now=now))[:THINKS_FIRST]:
        services.think(think, now=now)
    first = partial(_first, now)
    claim_in_order(STUDY, pk, attempt=partial(study, now=now), newest=first, oldest=first)


def study(pk: int, *, now: datetime, ask: Engine = answer) -> bool:
    """Makes one attempt. Returns whether there was one to make.

    Killed at any point it leaves either nothing or all of it: with limits in nodes, the next attempt finds
    the same.
    """
    if is_spent(now):
        AnalysisJob.objects.due(now).update(due_at=now + LATER)
        return False
    timer = Timer(now)
    row = claim(AnalysisJob.objects.all(), pk, now, _lease_of)
    if row is None:
        return False
    try:
        failpoint("thinking")
        _study(row, timer, ask)
    except Exception as error:
        _not_done(row, error, timer.now)
    return True


def _first(now: datetime) -> int | None:
    return next(iter(due(now=now)), None)


def _lease_of(row: AnalysisJob) -> timedelta:
    return timedelta(seconds=LIMITS[row.kind].patience) + MARGIN


def _study(row: AnalysisJob, timer: Timer, ask: Engine) -> None:
    match = row.match
    if match.ply != row.ply or match.position != row.position:
        _close(row, {"status": Status.VOID, "done_at": timer.now, "leased_until": None}, timer.now)
        return
    question = _question(row, match)
    answered = ask(CHILDREN[row.kind], question, LIMITS[row.kind])
    found = answered.told
    if not isinstance(found, dict):
        raise Failed("its answer makes no sense", answered.seconds)
    failpoint("thought")
    facts = {"status": Status.DONE, "done_at": timer.now, "leased_until": None, "found": found}
    _close(row, facts | {"trouble": "", "seconds": F("seconds") + answered.seconds}, timer.now)


@transaction.atomic
def _close(row: AnalysisJob, facts: Mapping[str, Any], now: datetime) -> None:
    # Locks the match before the row, as requests do: their players are told here, or find the row closed.
    Match.objects.filter(pk=row.match_id).locked().get()
    if row.held().update(**facts):
        row.refresh_from_db()
        puzzles.keep(row, now=now)
        tell(row, now=now)
    failpoint("played")


def _question(row: AnalysisJob, match: Match) -> Question:
    if row.kind == Kind.HINT:
        return asked(match) | {"level": HINTS_BY, "seed": f"{match.pk} {row.ply} hint"}
    record = match.record()
    played = {"game": match.game_name, "setup": record.setup, "moves": record.moves}
    score = record.result.score if record.result else "*"
    return played | {"result": score, "puzzles": puzzles.may_come_from(match)}


def _not_done(row: AnalysisJob, error: Exception, now: datetime) -> None:
    """Tries again at once, three times; a fault of the environment is no attempt."""
    trouble = set_aside(row, error, now)
    if trouble and row.tries >= MOST_TRIES:
        _close(row, trouble | {"status": Status.FAILED, "done_at": now}, now)
    elif trouble and row.held().update(**trouble):
        enqueue_on_commit(STUDY, row.pk)
