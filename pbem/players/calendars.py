"""From a player's rows to the calendar by which his time runs."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from pbem.players.calendar import DAY, Calendar
from pbem.players.models import Absence, Holiday, Player


def calendar_of(player: Player, since: datetime) -> Calendar:
    """True from `since` on: absences and holidays that were over then are left out."""
    today = since.astimezone(ZoneInfo(player.zone)).date()
    holidays = Holiday.objects.filter(day__gte=today - DAY)
    away = Absence.objects.filter(player=player).ending_after(since)
    return Calendar(
        zone=player.zone,
        free_weekdays=frozenset(map(int, player.free_weekdays)),
        night=player.night,
        holidays=frozenset(holidays.values_list("day", flat=True)),
        away=tuple(away.values_list("since", "until")),
    )
