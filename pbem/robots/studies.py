"""What somebody has asked a robot to look into: claim a row, ask a process of its own, and tell who waits for it.

It comes after whatever robots have to play: nobody waits for their opponent's move because somebody is curious.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from pbem.analysis import puzzles
from pbem.analysis.models import STUDY, Study
from pbem.matches.asked import asked
from pbem.matches.models import Match
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.timer import Timer
from pbem.queue.turns import take_turn
from pbem.robots import services
from pbem.robots.attempts import afresh, claim, set_aside
from pbem.robots.budget import is_spent
from pbem.robots.child_process import Answer, Failed, Limits, answer
from pbem.robots.wishes import tell

Kind, Status = Study.Kind, Study.Status
Question = Mapping[str, Any]
Engine = Callable[[str, Question, Limits], Answer]
LIMITS: Mapping[str, Limits] = {Kind.ANALYSIS: Limits(600), Kind.HINT: Limits(300)}
CHILDREN: Mapping[str, str] = {Kind.ANALYSIS: "games.robots.analysis_child", Kind.HINT: "games.robots.child"}
MARGIN = timedelta(seconds=30)  # of a lease, for what comes after
HINTS_BY = 3  # the level of a robot
MOST_TRIES = 3
SWEPT = 100  # at a time
THINKS_FIRST = 20
LATER = timedelta(hours=1)  # where the day is spent: it is looked at again


def due(*, now: datetime) -> Iterable[int]:
    return Study.objects.due(now).values_list("pk", flat=True)[:SWEPT]


def try_again(row: Study, *, now: datetime) -> None:
    """The organiser's verb, for one that has failed: the player who has asked is told anew."""
    with transaction.atomic():
        if Study.objects.filter(pk=row.pk, status=Status.FAILED).update(**afresh(now)):
            row.wishes.update(told_at=None)
            enqueue_on_commit(STUDY, row.pk)


def study_next(pk: int, *, now: datetime) -> None:
    """The task that was enqueued for `pk` looks into what is due, when all thinks are thought."""
    for think in list(services.due(now=now))[:THINKS_FIRST]:
        services.think(think, now=now)
    first = partial(_first, now)
    take_turn(STUDY, pk, attempt=partial(study, now=now), newest=first, oldest=first)


def study(pk: int, *, now: datetime, ask: Engine = answer) -> bool:
    """One attempt; whether there was one. Killed anywhere, it leaves nothing, or all of it: nodes are counted, so the
    next attempt finds the same."""
    if is_spent(now):
        Study.objects.due(now).update(due_at=now + LATER)
        return False
    timer = Timer(now)
    row = claim(Study.objects.all(), pk, now, _lease_of)
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


def _lease_of(row: Study) -> timedelta:
    return timedelta(seconds=LIMITS[row.kind].patience) + MARGIN


def _study(row: Study, timer: Timer, ask: Engine) -> None:
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
def _close(row: Study, facts: Mapping[str, Any], now: datetime) -> None:
    """In the order of those who ask, the match before the row: they are told, or wait and find it closed."""
    Match.objects.filter(pk=row.match_id).locked().get()
    if row.held().update(**facts):
        row.refresh_from_db()
        puzzles.keep(row, now=now)
        tell(row, now=now)
    failpoint("played")


def _question(row: Study, match: Match) -> Question:
    if row.kind == Kind.HINT:
        return asked(match) | {"level": HINTS_BY, "seed": f"{match.pk} {row.ply} hint"}
    record = match.record()
    played = {"game": match.game_name, "setup": record.setup, "moves": record.moves}
    score = record.result.score if record.result else "*"
    return played | {"result": score, "puzzles": puzzles.may_come_from(match)}


def _not_done(row: Study, error: Exception, now: datetime) -> None:
    """It is tried again at once, three times; a fault of the environment is no attempt."""
    trouble = set_aside(row, error, now)
    if trouble and row.tries >= MOST_TRIES:
        _close(row, trouble | {"status": Status.FAILED, "done_at": now}, now)
    elif trouble and row.held().update(**trouble):
        enqueue_on_commit(STUDY, row.pk)
