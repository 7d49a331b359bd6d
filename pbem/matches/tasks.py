"""Celery tasks of matches: reminders, days of absence, ends of pauses, and heartbeats."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, time, timedelta
from typing import Protocol

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from pbem.matches.clock import absences, outages, stops
from pbem.matches.clock.absences import days_left
from pbem.matches.clock.outages import is_down, record_heartbeat
from pbem.matches.clock.recalculation import recount_more
from pbem.matches.clock.reminders import Reminder, coming, told
from pbem.matches.clock.service import calendar_for, refresh
from pbem.matches.events import record_event
from pbem.matches.models import Component, Event, Match
from pbem.matches.models.match import FIRST_REMINDER
from pbem.players.calendar import Calendar, Night
from pbem.players.models import Absence, Player
from pbem.queue.one_at_a_time import one_at_a_time

# Reminders

SWEPT = 500  # matches at a time


def due(now: datetime) -> Iterable[int]:
    """Returns the matches with a reminder due."""
    playing = Match.objects.filter(status=Match.Status.PLAYING, remind_at__lte=now).order_by("remind_at")
    return list(playing.values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def remind(pk: int, *, now: datetime) -> None:
    """Records the reminder that is due, once per turn, and schedules the next one."""
    match = Match.objects.filter(pk=pk, status=Match.Status.PLAYING, remind_at__lte=now).locked().first()
    if match is None:
        return
    refresh(match)  # the stored deadline may be too early
    reminder = _coming(match, now)
    if reminder is not None and reminder.at <= now:
        match.reminded = {"ply": match.ply, "rungs": sorted({*told(match), *reminder.rungs})}
        match.save(update_fields=["reminded"])
        record_event(
            match, Event.Kind.REMINDED, now=now, side=match.to_move, days_left=_days_left(match, now)
        )
        reminder = _coming(match, now)
    match.remind_at = reminder.at if reminder else None
    match.save(update_fields=["remind_at"])


def _days_left(match: Match, now: datetime) -> int | None:
    """Returns the days of absence before the match would be lost. None when none would be taken."""
    player = match.moving.player if match.moving else None
    automatic = player is not None and player.automatic_absence and match.agreed.automatic
    return days_left(player, now) if player and automatic and match.agreed.rests else None


def _coming(match: Match, now: datetime) -> Reminder | None:
    return coming(match, calendar_for(match.moving), now) if match.moving else None


# Reminders without a clock: after one week and two, by the player's preference

DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)
# Waiting times by preference.
WAITS: Mapping[str, tuple[timedelta, ...]] = {
    "all": (FIRST_REMINDER, 2 * FIRST_REMINDER),
    "last": (2 * FIRST_REMINDER,),
    "none": (),
}
NIGHT = Night(time(22), time(8))  # for players without a night of their own


def unclocked_due(now: datetime) -> Iterable[int]:
    """Returns the matches without a clock with a reminder due."""
    playing = Match.objects.filter(status=Match.Status.PLAYING, unclocked_remind_at__lte=now)
    return list(playing.order_by("unclocked_remind_at").values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def remind_unclocked(pk: int, *, now: datetime) -> None:
    """Records the reminder that is due, once, and schedules the next one; several due at once are one."""
    playing = Match.objects.filter(pk=pk, status=Match.Status.PLAYING, unclocked_remind_at__lte=now)
    match = playing.locked().first()
    if match is None:
        return
    match.unclocked_remind_at = _told_or_put_off(match, now)
    match.save(update_fields=["unclocked_remind_at"])


def _told_or_put_off(match: Match, now: datetime) -> datetime | None:
    """Records the reminder or puts it off; returns when to look again. None when not in this turn."""
    since, seat = match.to_move_since, match.moving
    if since is None or seat is None or match.agreed.control is not None:
        return None
    if match.stopped:
        return now + DAY
    waits = WAITS[seat.player.reminders]
    if any(since + wait <= now for wait in waits):
        peace = _peace(seat.player, now)
        if not peace.runs(now):
            return peace.after(now, MOMENT) - MOMENT
        record_event(match, Event.Kind.REMINDED, now=now, side=match.to_move, waiting=(now - since).days)
    return min((since + wait for wait in waits if since + wait > now), default=None)


def _peace(player: Player, now: datetime) -> Calendar:
    """Returns the calendar that stands still while the player is not to be disturbed."""
    away = Absence.objects.filter(player=player).ending_after(now).values_list("since", "until")
    return Calendar(zone=player.zone, night=player.night or NIGHT, away=tuple(away))


log = logging.getLogger(__name__)
RECOUNTED = 4  # batches per sweep after an outage


class Deed(Protocol):
    """Acts on one match in its own transaction, after it has checked again that it is due."""

    def __call__(self, pk: int, *, now: datetime) -> object: ...


def _save(pk: int, *, now: datetime) -> bool:
    # Not while mail cannot arrive: that time is given back afterwards.
    return not is_down(now) and absences.take_automatic_absence(pk, now=now)


# Index queries for the due matches, and the action for each.
DEEDS: tuple[tuple[Callable[[datetime], Iterable[int]], Deed], ...] = (
    (stops.ended, stops.end_pause),
    (absences.near, _save),
    (due, remind),
    (unclocked_due, remind_unclocked),
)


def sweep_clocks(*, now: datetime) -> None:
    """Runs what is due for all matches. Idempotent; a match that fails does not delay the others."""
    for whose, deed in DEEDS:
        for pk in whose(now):
            try:
                record_heartbeat(Component.WORKER, now=now)  # an outage is credited first
                deed(pk, now=now)
            except Exception:
                log.exception("match %s: %s", pk, deed)
    try:
        any(not recount_more() for _ in range(RECOUNTED))
    except Exception:
        log.exception("the deadlines after an outage")


@shared_task
def beat() -> None:
    """Records a heartbeat of the worker, which proves that tasks are enqueued and run."""
    outages.record_heartbeat(Component.WORKER, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Takes days of absence, ends pauses and sends reminders."""
    sweep_clocks(now=timezone.now())
    outages.done("clocks", now=timezone.now())
