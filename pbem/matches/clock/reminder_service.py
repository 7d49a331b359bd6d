"""Reminds the player to move, as far up the ladder as they wish."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from pbem.matches.clock.absences import days_left
from pbem.matches.clock.reminder_schedule import Reminder
from pbem.matches.clock.reminders import coming, told
from pbem.matches.clock.service import calendar_for, refresh
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match

SWEPT = 500  # at a time


def due(now: datetime) -> Iterable[int]:
    """The matches with a reminder whose time has come."""
    playing = Match.objects.filter(status=Match.Status.PLAYING, remind_at__lte=now).order_by("remind_at")
    return list(playing.values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def remind(pk: int, *, now: datetime) -> None:
    """Tell what is due, once in each turn, and note when the next is: the deadline may have moved."""
    match = Match.objects.filter(pk=pk, status=Match.Status.PLAYING, remind_at__lte=now).locked().first()
    if match is None:
        return
    refresh(match)  # what the row says of the deadline may be too early
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
    """How many days of absence stand between the player and the loss of the match; None where none would be taken."""
    player = match.moving.player if match.moving else None
    automatic = player is not None and player.automatic_absence and match.agreed.automatic
    return days_left(player, now) if player and automatic and match.agreed.rests else None


def _coming(match: Match, now: datetime) -> Reminder | None:
    return coming(match, calendar_for(match.moving), now) if match.moving else None
