"""Schedules robots: events of their matches write thinks, in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random

from django.conf import settings
from django.db.models import F, Q

from pbem.matches.clock import service as clocks
from pbem.matches.models import Event, Match, Seat
from pbem.matches.takeback import held_until
from pbem.players.models import Player
from pbem.queue.enqueue import enqueue_on_commit
from pbem.robots.engine import DAY, is_spent
from pbem.robots.models import THINK, EngineJob

Kind = Event.Kind
TURNS = {
    *(Kind.STARTED, Kind.MOVED, Kind.UNDONE, Kind.SWAPPED, Kind.REPLACED),
    *(Kind.IMPORTED, Kind.RESUMED),
}
QUESTIONS = {Kind.ASKED, Kind.OFFERED}
ENDS = {Kind.ENDED, Kind.VOIDED}
STRONG = 3  # from this level on thinks are counted, since they cost seconds of processor time
SWEPT = 100  # at a time


def follow(events: Sequence[Event]) -> None:
    """Subscribes to `pbem.matches.events`. A match without robots costs one look at its seats."""
    for event in events:
        if event.kind in TURNS or event.kind in ENDS:
            if has_robot(event.match) or event.kind == Kind.REPLACED:
                void(event.match, event.happened_at)
                expect(event.match, event.happened_at, held=_held(event))
        elif event.kind in QUESTIONS and event.side is not None:
            _expect_answer(event.match.seated[1 - event.side], event.happened_at)


def has_robot(match: Match) -> bool:
    return any(seat.player.robot for seat in match.seated)


def void(match: Match, now: datetime) -> None:
    """Cancels the waiting thinks of a match."""
    EngineJob.objects.waiting().filter(match=match).update(status=EngineJob.Status.VOID, done_at=now)


def expect(match: Match, now: datetime, *, held: datetime | None = None) -> None:
    """Writes a think on a robot's turn, due after `held`: until then the last move may be taken back."""
    seat = match.moving
    if match.status != Match.Status.PLAYING or seat is None or not seat.player.robot:
        return
    before = EngineJob.objects.filter(match=match, ply=match.ply, kind=EngineJob.Kind.MOVE).count()
    due_at = max(now + _delay(seat, now), held or now)
    _write(seat, _level(seat, now), now, due_at, generation=before)


def forgotten(now: datetime) -> Iterable[Match]:
    """Returns matches, locked, in which a robot is to move without a think: rows without events."""
    seats = Seat.objects.filter(
        player__robot__isnull=False, match__status=Match.Status.PLAYING, match__to_move=F("side")
    )
    told = Q(match__thinks__status=EngineJob.Status.WAITING)
    failed = Q(match__thinks__status=EngineJob.Status.FAILED, match__thinks__ply=F("match__ply"))
    pks = seats.exclude(match__in=Seat.objects.filter(told | failed).values("match"))
    return Match.objects.filter(pk__in=list(pks.values_list("match", flat=True)[:SWEPT])).locked()


def _expect_answer(seat: Seat, now: datetime) -> None:
    """Makes a robot answer an offer at once, before its move if it has one to think of."""
    if not seat.player.robot:
        return
    waiting = EngineJob.objects.waiting().filter(match=seat.match).first()
    if waiting is None:
        _write(seat, seat.player.robot, now, now, kind=EngineJob.Kind.ANSWER)
    elif waiting.due_at > now:
        EngineJob.objects.filter(pk=waiting.pk).update(due_at=now)
        enqueue_on_commit(THINK, waiting.pk)


def _write(
    seat: Seat,
    level: int,
    now: datetime,
    due_at: datetime,
    *,
    kind: EngineJob.Kind = EngineJob.Kind.MOVE,
    generation: int = 0,
) -> None:
    match = seat.match
    row = EngineJob.objects.create(
        match=match,
        ply=match.ply,
        side=seat.side,
        kind=kind,
        level=level,
        generation=generation,
        created_at=now,
        due_at=due_at,
    )
    if due_at <= now:
        enqueue_on_commit(THINK, row.pk)


def _level(seat: Seat, now: datetime) -> int:
    """Returns the level of a think: a strong robot plays one below the strong levels after too many thinks
    about one player's matches in a day, or when the day's processor time is spent."""
    own, other = seat.player.robot or 1, seat.opponent.player
    if own < STRONG:
        return own
    tired = not other.robot and strong_thinks(other, now) >= settings.ROBOT_THINKS_PER_DAY
    return STRONG - 1 if tired or is_spent(now) else own


def strong_thinks(player: Player, now: datetime) -> int:
    """Counts the strong thinks in this player's matches over the last 24 hours."""
    lately = EngineJob.objects.filter(kind=EngineJob.Kind.MOVE, level__gte=STRONG, created_at__gt=now - DAY)
    return lately.filter(match__seats__player=player).count()


def _delay(seat: Seat, now: datetime) -> timedelta:
    """Returns the delay before a move: some minutes, at most a tenth of the time left; none for the first
    move of a match, which goes with the first letter."""
    least, most = settings.ROBOT_DELAY
    if not most or not seat.match.ply:
        return timedelta()
    delay = timedelta(minutes=Random(f"{seat.match_id} {seat.match.ply}").uniform(least, most))
    left = clocks.remaining(seat, now)
    return delay if left is None else max(timedelta(), min(delay, left / 10))


def _held(event: Event) -> datetime | None:
    match = event.match
    return held_until(event, match) if event.kind == Kind.MOVED and match.agreed.hold else None
