"""Thinking: claim a row, ask a process of its own, and play what it says in the transaction that closes the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from games.protocol import Outcome
from games.robots.robot import by_rules
from pbem.matches import offers, pie_rule
from pbem.matches import services as matches
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match, Seat
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.timer import Timer
from pbem.queue.turns import take_turn
from pbem.refusals import Refused
from pbem.robots import engine
from pbem.robots.attempts import afresh, claim, set_aside
from pbem.robots.engine import Thought
from pbem.robots.models import THINK, Think
from pbem.robots.policy import TURNS, Deed, choose, takes_draw
from pbem.robots.scheduling import expect, forgotten

Status = Think.Status
Engine = Callable[[Mapping[str, Any]], Thought]
MOST_TRIES = 3  # then the rules alone have to do
SWEPT = 500  # at a time


def due(*, now: datetime) -> Iterable[int]:
    return Think.objects.due(now).values_list("pk", flat=True)[:SWEPT]


def remember(*, now: datetime) -> None:
    """A row for whatever robot has not been told that it is to move."""
    with transaction.atomic():
        for match in forgotten(now):
            expect(match, now)


def try_again(row: Think, *, now: datetime) -> None:
    """The organiser's verb, for one that has failed."""
    Think.objects.filter(pk=row.pk, status=Status.FAILED).update(**afresh(now))
    enqueue_on_commit(THINK, row.pk)


def think_next(pk: int, *, now: datetime) -> None:
    """The task that was enqueued for `pk` thinks about what is due."""
    first = partial(_first, now)
    take_turn(THINK, pk, attempt=partial(think, now=now), newest=first, oldest=first)


def think(pk: int, *, now: datetime, ask: Engine = engine.ask) -> bool:
    """One attempt; whether there was one. Killed anywhere, it leaves nothing, or the move with its row closed: the
    same seed finds the same move again."""
    timer = Timer(now)
    row = claim(Think.objects.all(), pk, now, lambda row: engine.lease_of(row.level))
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


def _answers(row: Think, timer: Timer) -> bool:
    """Grants what the opponent asks for; whether there is nothing else to do for this row then."""
    with transaction.atomic():
        seat = _still(row, timer.now)
        if seat is not None and row.kind == Think.Kind.ANSWER:
            _close(row, Status.DONE, timer.now)
        if seat is not None:
            _grant(seat, timer.now)
            if row.kind == Think.Kind.ANSWER and _is_offered_draw(seat):
                _answer_draw(seat, row, timer.now)
    row.refresh_from_db()
    return row.status != Status.WAITING


def _think(row: Think, timer: Timer, ask: Engine) -> None:
    match = Match.objects.get(pk=row.match_id)
    if row.tries > MOST_TRIES:
        thought = Thought(str(by_rules(match.current(), row.seed)))
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


def _still(row: Think, now: datetime) -> Seat | None:
    """The seat, with its match locked, if the robot has still to do what the row says; else the row is void."""
    match = Match.objects.filter(pk=row.match_id).locked().get()
    seat = match.seated[row.side]
    waits = Think.objects.waiting().filter(pk=row.pk).exists()
    as_it_was = match.status == Match.Status.PLAYING and match.ply == row.ply and seat.player.robot
    if waits and as_it_was and (row.kind == Think.Kind.ANSWER or seat.is_to_move):
        return seat
    if waits:
        _close(row, Status.VOID, now)
    return None


def _grant(seat: Seat, now: datetime) -> bool:
    """Whether the opponent has got what they asked for, so that the board may be another."""
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


def _answer_draw(seat: Seat, row: Think, now: datetime) -> None:
    """By what it thought of its last turn, for the board of now is the opponent's to think about."""
    lately = _chances(row)[:1]
    if any(takes_draw(chance, ply=row.ply) for chance in lately):
        matches.accept(seat, now=now)
    else:
        matches.decline(seat, now=now)


def _close(row: Think, status: Think.Status, now: datetime, thought: Thought | None = None) -> None:
    """In the transaction of what it brings, and before it: the move writes the next row."""
    facts: dict[str, Any] = {"status": status, "done_at": now, "leased_until": None}
    if thought:
        facts |= {"move": thought.move, "score": thought.score, "chance": thought.chance}
        facts |= {"depth": thought.depth, "nodes": thought.nodes, "seconds": F("seconds") + thought.seconds}
    Think.objects.filter(pk=row.pk).update(**facts)


def _do(seat: Seat, thought: Thought, row: Think, now: datetime) -> None:
    """It counts from when it was due: how long our machine takes is no fault of the player."""
    match = seat.match
    deed = choose(
        thought,
        level=row.level,
        ply=row.ply,
        before=_chances(row),
        may_swap=pie_rule.may_swap(match),
        draw_offered=_is_offered_draw(seat),
        alone=bool(seat.opponent.player.robot),
    )
    if deed is Deed.SWAP:
        pie_rule.swap(seat, now=now, arrived=row.due_at)
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


def _chances(row: Think) -> list[float]:
    own = Think.objects.filter(match=row.match_id, side=row.side, ply__lt=row.ply, status=Status.DONE)
    known = own.filter(chance__isnull=False).order_by("-pk").values_list("chance", flat=True)
    return [chance for chance in known[: TURNS - 1] if chance is not None]


def _not_done(row: Think, error: Exception, now: datetime) -> None:
    """It is tried again at once, three times; a fault of the environment is no attempt."""
    trouble = set_aside(row, error, now)
    status = Status.FAILED if row.tries > MOST_TRIES else Status.WAITING
    if trouble and row.held().update(**trouble, status=status):
        enqueue_on_commit(THINK, row.pk)
