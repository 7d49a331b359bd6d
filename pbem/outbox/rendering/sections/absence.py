"""Sections about who is away, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player

Until = date | datetime


def away_until(player: Player, now: datetime) -> Until | None:
    """The last whole day of an absence, or the moment that ends it; None while they are here."""
    until = player.away_until(now)
    if until is None:
        return None
    wall = until.astimezone(ZoneInfo(player.zone))
    return (wall - timedelta(seconds=1)).date() if wall.time() == datetime.min.time() else until


def _absence(section: Mapping[str, Any], reader: Reader) -> Context:
    """`since` and `until` as days, or as moments where they are not whole days."""
    going = section["kind"] == "away"
    message = section["message"] if going else ""
    return {**section, **_when(section), "actor": section["name"], "message": message}


def _absences(section: Mapping[str, Any], reader: Reader) -> Context:
    """What a player has announced and has left; `done`, if anything, is what they have just changed."""
    context = {**section, "absences": [{**each, **_when(each)} for each in section["absences"]]}
    return context | (
        {"changed": section["changed"] | _when(section["changed"])} if section.get("changed") else {}
    )


def _when(facts: Mapping[str, Any]) -> dict[str, Until | bool]:
    since = date.fromisoformat(facts["first"])
    until = date.fromisoformat(facts["last"]) if facts["last"] else datetime.fromisoformat(facts["until"])
    return {"since": since, "until": until, "single": since == until}


BUILDERS: Mapping[str, Builder] = {
    "absences": _absences,
    "away": _absence,
    "here_again": _absence,
    "day_taken": _absence,
}
