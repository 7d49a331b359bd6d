"""Reminders in matches where nobody's time is limited: after one week and after two, by the player's wishes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, time, timedelta

from django.db import transaction

from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.matches.models.match import FIRST_REMINDER
from pbem.players.calendar import Calendar, Night
from pbem.players.models import Absence, Player

SWEPT = 500  # at a time
DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)
# After how long a player is reminded who wishes for all reminders, for the last ones, for none.
WAITS: Mapping[str, tuple[timedelta, ...]] = {
    "all": (FIRST_REMINDER, 2 * FIRST_REMINDER),
    "last": (2 * FIRST_REMINDER,),
    "none": (),
}
NIGHT = Night(time(22), time(8))  # of a player who has not said when their night is


def due(now: datetime) -> Iterable[int]:
    """The matches with a reminder whose time has come."""
    playing = Match.objects.filter(status=Match.Status.PLAYING, unclocked_remind_at__lte=now)
    return list(playing.order_by("unclocked_remind_at").values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def remind(pk: int, *, now: datetime) -> None:
    """Tell what is due, once, and note when the next is. Several that are due at once are one."""
    playing = Match.objects.filter(pk=pk, status=Match.Status.PLAYING, unclocked_remind_at__lte=now)
    match = playing.locked().first()
    if match is None:
        return
    match.unclocked_remind_at = _told_or_put_off(match, now)
    match.save(update_fields=["unclocked_remind_at"])


def _told_or_put_off(match: Match, now: datetime) -> datetime | None:
    """When to look again; None: never in this turn."""
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
    """It stands still while the player is not to be disturbed."""
    away = Absence.objects.filter(player=player).ending_after(now).values_list("since", "until")
    return Calendar(zone=player.zone, night=player.night or NIGHT, away=tuple(away))
