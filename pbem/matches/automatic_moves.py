"""Automatic moves: forced passes, conditional replies, and only moves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from games.protocol import Notation, Position
from pbem.matches import conditional as keeping
from pbem.matches import plies
from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import check_in_time
from pbem.matches.conditional import Waiting
from pbem.matches.events import record_event
from pbem.matches.lifecycle import finish
from pbem.matches.models import Event, Match, Seat, Turn

_MOST = 200  # plies that may follow one move


def go_on(
    seat: Seat,
    turn: Turn,
    before: Position,
    move: Any,
    *,
    now: datetime,
    letter: int | None = None,
    **why: Any,
) -> None:
    """Plays all that follows the turn just recorded by `seat`, as one event and one letter.

    `why` are more facts for the event.
    """
    match = seat.match
    waiting = Waiting(match)
    waiting.follow(turn, before, move)
    _run(match, waiting, first=turn.ply, side=seat.side, now=now, letter=letter, **why)


@transaction.atomic
def promise(
    seat: Seat,
    moves: Sequence[str | None],
    *,
    ply: int | None = None,
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
    notation: Notation | None = None,
) -> None:
    """Keeps a conditional line, or plays its answer at once when the reply has been played already.

    The answer counts as a move that `arrived` then. Refuses G07, and as `pbem.matches.conditional.say` does.
    """
    match = seat.match
    plies.check_playing(match)
    if keeping.say(seat, moves, ply=ply, now=now, letter=letter, notation=notation):
        return
    check_in_time(seat, arrived or now)
    _run(match, Waiting(match), first=match.ply, side=seat.side, now=now, letter=letter, arrived=arrived)


def _run(
    match: Match,
    waiting: Waiting,
    *,
    first: int,
    side: int,
    now: datetime,
    letter: int | None,
    arrived: datetime | None = None,
    **facts: Any,
) -> None:
    """Plays the automatic moves, and records what happened from the turn `first` on."""
    facts["first"] = first
    outcome = plies.outcome(match)
    while outcome is None and match.ply - first < _MOST:
        before = match.current()
        move, how, failed = _next(match, waiting, before)
        if failed:
            facts["failed"] = [*facts.get("failed", ()), *failed]
        if move is None:
            break
        if how and match.moving:
            facts["itself"] = True
            clocks.charge(match.moving, arrived or now)
        turn = plies.record(match, before, move, now=arrived or now, told=now, how=how)
        waiting.follow(turn, before, move)
        outcome = plies.outcome(match)
    waiting.save()
    if outcome is None:
        clocks.begin(match, now)
    record_event(match, Event.Kind.MOVED, now=now, side=side, letter=letter, **facts)
    if outcome:
        finish(match, outcome, now=now, side=side, letter=letter, first=first)


def _next(match: Match, waiting: Waiting, before: Position) -> tuple[Any, str, list[dict[str, Any]]]:
    """Returns the automatic move (None without one), how it is played, and the failed lines."""
    if (forced := plies.forced_pass(match)) is not None:
        return forced, "", []
    move, failed = waiting.answer()
    if move is not None:
        return move, Turn.How.CONDITIONAL, failed
    if match.agreed.forced and before.count() == 1:
        return next(before.moves()), Turn.How.FORCED, failed
    return None, "", failed
