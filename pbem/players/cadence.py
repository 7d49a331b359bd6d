"""When the next daily or weekly letter of a player is due."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.players.models import Player

Cadence = Player.Cadence


def next_digest(player: Player, now: datetime) -> datetime:
    """The first moment after `now` that the player's clock on the wall shows their hour, and their day if it is weekly.

    An hour that is left out when summer time begins is an hour later; one that comes twice is its first. For anyone who
    wants a letter for each move it is now.
    """
    if player.cadence == Cadence.MOVE:
        return now
    zone = ZoneInfo(player.zone)
    day = now.astimezone(zone).date()
    while True:
        due = datetime.combine(day, time(player.digest_hour), zone).astimezone(UTC)
        weekly = player.cadence == Cadence.WEEKLY
        if due > now and not (weekly and day.weekday() != player.digest_day):
            return due
        day += timedelta(days=1)
