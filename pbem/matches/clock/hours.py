"""Another time zone, weekend or night for a player: their clocks go on by the new calendar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.matches.clock.service import new_hours
from pbem.players.models import Player
from pbem.players.preferences import HOURS, prefer


def choose(player: Player, wishes: Mapping[str, Any], *, now: datetime) -> None:
    """Put `wishes` into the columns of `player`, whatever they are. Refuses K05."""
    if HOURS.isdisjoint(wishes):
        prefer(player, wishes, now=now)
        return
    with new_hours(player, now):
        prefer(player, wishes, now=now)
