"""Thinks: claims a row, asks a process, and plays its move in the transaction that closes the row."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from typing import Any

from django.apps import apps as of_now
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import transaction
from django.db.models import F

from games.engine.robot import by_rules
from games.engine.search import PROVEN
from games.protocol import Outcome
from pbem.matches import offers
from pbem.matches import services as matches
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match, Seat
from pbem.players.names import fold, robot_name
from pbem.queue import faults
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.faults import KILLED, error_summary
from pbem.queue.models import AnyJob, Job, JobQuerySet, claim_in_order
from pbem.queue.timer import Timer
from pbem.refusals import Refused
from pbem.robots import engine
from pbem.robots.engine import EngineMove, Failed
from pbem.robots.models import THINK, EngineJob
from pbem.robots.scheduling import expect, forgotten

# Decisions: play on, resign, accept a draw or swap sides

RESIGNS_FROM = 3  # level; players want to finish their wins against weaker robots
HOPELESS, TURNS = 0.03, 3  # chance, and successive turns of its own
EVEN, EARLIEST = 0.08, 40  # distance from even, and half-moves before which no draw is accepted
LONGEST = 300  # half-moves between two robots, a match that only the organiser can start


class Deed(Enum):
    MOVE = auto()
    SWAP = auto()
    RESIGN = auto()
    ACCEPT_DRAW = auto()
    END = auto()


def choose(
    thought: EngineMove,
    *,
    level: int,
    ply: int,
    before: Sequence[float],
    may_swap: bool = False,
    draw_offered: bool = False,
    alone: bool = False,
) -> Deed:
    """Decides what to do: `before` has the chances at its last turns, newest first; `alone` means the
    opponent is a robot too."""
    if alone and ply >= LONGEST:
        return Deed.END
    if may_swap and thought.score < 0:
        return Deed.SWAP
    if draw_offered and takes_draw(thought.chance, ply=ply):
        return Deed.ACCEPT_DRAW
    if level >= RESIGNS_FROM and _is_lost(thought, before):
        return Deed.RESIGN
    return Deed.MOVE


def takes_draw(chance: float, *, ply: int) -> bool:
    return ply >= EARLIEST and chance < 0.5 + EVEN


def _is_lost(thought: EngineMove, before: Sequence[float]) -> bool:
    lately = (thought.chance, *before)[:TURNS]
    return thought.score < -PROVEN or (len(lately) == TURNS and max(lately) < HOPELESS)


# Attempts: claimed under a lease, tried again, or given up

log = logging.getLogger(__name__)
SOON = timedelta(seconds=10)


def claim(
    jobs: JobQuerySet[AnyJob], pk: int, now: datetime, lease_of: Callable[[AnyJob], timedelta]
) -> AnyJob | None:
    """Returns the claimed row. None when it is not due, or leased."""
    row = jobs.filter(pk=pk).first()
    if row is None or not jobs.claim(pk, now, lease_of(row)):
        return None
    row.refresh_from_db()
    return row


def set_aside(job: Job, error: Exception, now: datetime) -> dict[str, Any] | None:
    """Returns the columns for a failed attempt. None for a fault of the environment, which does not count:
    the row is due again soon."""
    if faults.is_fault(error):
        log.warning("%s %s waits: %s", job._meta.model_name, job.pk, error)
        job.held().update(leased_until=now + SOON, tries=job.tries - 1)
        return None
    said = str(error) if isinstance(error, Failed) else error_summary(error)
    log.warning("%s %s, attempt %s: %s", job._meta.model_name, job.pk, job.tries, said)
    used = F("seconds") + getattr(error, "seconds", 0.0)
    return {"leased_until": None, "trouble": said or KILLED, "seconds": used}


def afresh(now: datetime) -> dict[str, Any]:
    """Returns the columns to try a row as if for the first time."""
    fresh = {"status": Job.Status.WAITING, "tries": 0, "leased_until": None}
    return fresh | {"due_at": now, "trouble": ""}


Status = EngineJob.Status
Engine = Callable[[Mapping[str, Any]], EngineMove]
MOST_TRIES = 3  # then the rules alone choose a move
SWEPT = 500  # at a time


def due(*, now: datetime) -> Iterable[int]:
    return EngineJob.objects.due(now).values_list("pk", flat=True)[:SWEPT]


def remember(*, now: datetime) -> None:
    """Writes missing thinks."""
    with transaction.atomic():
        for match in forgotten(now):
            expect(match, now)


def try_again(row: EngineJob, *, now: datetime) -> None:
    """Tries a failed think again, for the organiser."""
    EngineJob.objects.filter(pk=row.pk, status=Status.FAILED).update(**afresh(now))
    enqueue_on_commit(THINK, row.pk)


def think_next(pk: int, *, now: datetime) -> None:
    """Handles the task enqueued for `pk`: thinks about what is due."""
    first = partial(_first, now)
    claim_in_order(THINK, pk, attempt=partial(think, now=now), newest=first, oldest=first)


def think(pk: int, *, now: datetime, ask: Engine = engine.ask) -> bool:
    """Makes one attempt. Returns whether there was one to make.

    Killed at any point it leaves either nothing, or the move and the closed row: the same seed finds the same
    move.
    """
    timer = Timer(now)
    row = claim(EngineJob.objects.all(), pk, now, lambda row: engine.lease_of(row.level))
    if row is None:
        return False
    try:
        failpoint("thinking")
        if not _answers(row, timer):
            _think(row, timer, ask)
    except Exception as error:
        _not_done(row, error, timer.now)
    return True


def _first(now: datetime) -> int | None:
    return next(iter(due(now=now)), None)


def _answers(row: EngineJob, timer: Timer) -> bool:
    """Grants what the opponent asks for. Returns whether that finished the row."""
    with transaction.atomic():
        seat = _still(row, timer.now)
        if seat is not None and row.kind == EngineJob.Kind.ANSWER:
            _close(row, Status.DONE, timer.now)
        if seat is not None:
            _grant(seat, timer.now)
            if row.kind == EngineJob.Kind.ANSWER and _is_offered_draw(seat):
                _answer_draw(seat, row, timer.now)
    row.refresh_from_db()
    return row.status != Status.WAITING


def _think(row: EngineJob, timer: Timer, ask: Engine) -> None:
    match = Match.objects.get(pk=row.match_id)
    if row.tries > MOST_TRIES:
        thought = EngineMove(str(by_rules(match.current(), row.seed)))
    else:
        thought = ask(engine.question(row, match))
    failpoint("thought")
    with transaction.atomic():
        seat = _still(row, timer.now)
        if seat is not None and _grant(seat, timer.now):
            seat = _still(row, timer.now)
        if seat is not None:
            _close(row, Status.DONE, timer.now, thought)
            _do(seat, thought, row, timer.now)
        failpoint("played")


def _still(row: EngineJob, now: datetime) -> Seat | None:
    """Returns the seat, with its match locked. None when the row has become void, which closes it."""
    match = Match.objects.filter(pk=row.match_id).locked().get()
    seat = match.seated[row.side]
    waits = EngineJob.objects.waiting().filter(pk=row.pk).exists()
    as_it_was = match.status == Match.Status.PLAYING and match.ply == row.ply and seat.player.robot
    if waits and as_it_was and (row.kind == EngineJob.Kind.ANSWER or seat.is_to_move):
        return seat
    if waits:
        _close(row, Status.VOID, now)
    return None


def _grant(seat: Seat, now: datetime) -> bool:
    """Accepts the opponent's standing offer if possible, else declines it. Returns whether there was one."""
    offer = offers.standing(seat.match, by=seat.opponent)
    if offer is None:
        return False
    try:
        with transaction.atomic():
            offers.accept(seat, now=now)
    except Refused:
        offers.decline(seat, now=now)
    return True


def _is_offered_draw(seat: Seat) -> bool:
    return seat.match.draw_offered_by == seat.opponent.side


def _answer_draw(seat: Seat, row: EngineJob, now: datetime) -> None:
    # By the chance at its last turn: the present position is the opponent's to think about.
    lately = _chances(row)[:1]
    if any(takes_draw(chance, ply=row.ply) for chance in lately):
        matches.accept(seat, now=now)
    else:
        matches.decline(seat, now=now)


def _close(
    row: EngineJob, status: EngineJob.Status, now: datetime, thought: EngineMove | None = None
) -> None:
    """Closes the row, in the transaction of the move and before it, since the move writes the next row."""
    facts: dict[str, Any] = {"status": status, "done_at": now, "leased_until": None}
    if thought:
        facts |= {"move": thought.move, "score": thought.score, "chance": thought.chance}
        facts |= {"depth": thought.depth, "nodes": thought.nodes, "seconds": F("seconds") + thought.seconds}
    EngineJob.objects.filter(pk=row.pk).update(**facts)


def _do(seat: Seat, thought: EngineMove, row: EngineJob, now: datetime) -> None:
    """Plays the decision as of the moment it was due, so that our machine's time is not the robot's."""
    match = seat.match
    deed = choose(
        thought,
        level=row.level,
        ply=row.ply,
        before=_chances(row),
        may_swap=offers.may_swap(match),
        draw_offered=_is_offered_draw(seat),
        alone=bool(seat.opponent.player.robot),
    )
    if deed is Deed.SWAP:
        offers.swap(seat, now=now, arrived=row.due_at)
    elif deed is Deed.ACCEPT_DRAW:
        matches.accept(seat, now=now, arrived=row.due_at)
    elif deed is Deed.RESIGN:
        matches.resign(seat, now=now)
    elif deed is Deed.END:
        finish(match, Outcome(None, "agreed"), now=now, side=None)
    else:
        if _is_offered_draw(seat):
            matches.decline(seat, now=now)
        game, notation = match.game, seat.player.notation
        text = game.write(match.current(), game.move(thought.move), notation)
        weaker = {"weaker": row.level} if row.level < (seat.player.robot or 0) else {}
        matches.play(seat, text, ply=row.ply, now=now, arrived=row.due_at, facts=weaker)


def _chances(row: EngineJob) -> list[float]:
    own = EngineJob.objects.filter(match=row.match_id, side=row.side, ply__lt=row.ply, status=Status.DONE)
    known = own.filter(chance__isnull=False).order_by("-pk").values_list("chance", flat=True)
    return [chance for chance in known[: TURNS - 1] if chance is not None]


def _not_done(row: EngineJob, error: Exception, now: datetime) -> None:
    """Tries again at once, three times; a fault of the environment is no attempt."""
    trouble = set_aside(row, error, now)
    status = Status.FAILED if row.tries > MOST_TRIES else Status.WAITING
    if trouble and row.held().update(**trouble, status=status):
        enqueue_on_commit(THINK, row.pk)


# The robots as players: one for each level here, with a name and without an address


def create_missing(apps: Any = None) -> None:
    """Creates missing robots after a migration; `apps` has the models of that state, perhaps no robots."""
    try:
        player: Any = (apps or of_now).get_model("players", "Player")
        player._meta.get_field("robot")
    except (LookupError, FieldDoesNotExist):
        return
    for level in settings.ROBOT_LEVELS:
        name = robot_name(level)
        if player.objects.filter(robot=level).exists():
            continue
        if player.objects.filter(folded=fold(name)).exists():  # registered before such names were reserved
            log.warning("no robot of level %s: somebody is called %s", level, name)
            continue
        player.objects.create(name=name, robot=level, language="en")
