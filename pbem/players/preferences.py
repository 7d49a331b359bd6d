"""What a player chooses: saved at once, the hours at which their clocks stand still only now and then."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.players.models import Player
from pbem.refusals import Code, Refused

# Anyone who moved their nights and weekends along with their deadlines would have all the time in the world.
HOURS = frozenset({"zone", "free_weekdays", "night_begins", "night_ends"})
HOURS_STAND = timedelta(days=30)
SECOND_THOUGHTS = timedelta(days=1)  # in which all changes count as one


def prefer(player: Player, wishes: Mapping[str, Any], *, now: datetime) -> None:
    """Put `wishes` into the columns of `player`. Refuses K05: other hours so soon."""
    changed = {column: value for column, value in wishes.items() if getattr(player, column) != value}
    if HOURS & changed.keys() and _rests(player, changed):
        changed["calendar_since"] = _since(player, now)
    for column, value in changed.items():
        setattr(player, column, value)
    if changed:
        player.save(update_fields=list(changed))


def _rests(player: Player, changed: Mapping[str, Any]) -> bool:
    """Whether there are, or were, hours at which the clocks stand still; else any zone is as good as another."""
    columns = HOURS - {"zone"}
    return any(changed.get(column) or getattr(player, column) for column in columns)


def _since(player: Player, now: datetime) -> datetime:
    """When this change of hours began."""
    began = player.calendar_since
    if began is None or now >= began + HOURS_STAND:
        return now
    if now > began + SECOND_THOUGHTS:
        raise Refused(Code.CALENDAR_KEPT)
    return began
