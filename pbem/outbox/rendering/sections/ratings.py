"""Sections about ratings: a player's, the best of a pool, and what the end of a match has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pbem.matches.models import Event
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.match import event_context
from pbem.players.models import Player
from pbem.ratings.lists import Listed, best_of, busiest_pools, change_of, figure, ratings_of
from pbem.ratings.pools import title
from pbem.ratings.robots import ratings_of_robot

Kind = Event.Kind
POOLS, PLAYERS = 6, 5  # of a letter about all games


def _rating(section: Mapping[str, Any], reader: Reader) -> Context:
    player, now = Player.objects.get(pk=section["player"]), datetime.fromisoformat(section["at"])
    if player.robot:
        return {"name": player.name, "robot": player.robot, "lines": _of_robot(player, now, reader)}
    listed = ratings_of(player, now)
    return {
        "name": player.name,
        "own": player == reader.player,
        "lines": [_line(each) | {"title": title(each.row.pool, reader.language)} for each in listed],
    }


def _of_robot(robot: Player, now: datetime, reader: Reader) -> list[Context]:
    return [
        {
            "title": title(each.pool, reader.language),
            "above": round(each.above),
            "rating": figure(each.among_people) if each.among_people else "",
            "deviation": round(each.among_people.deviation) if each.among_people else None,
        }
        for each in ratings_of_robot(robot, now)
    ]


def _ratings(section: Mapping[str, Any], reader: Reader) -> Context:
    pool, now = section["pool"], datetime.fromisoformat(section["at"])
    if pool:
        tables = [_table(pool, best_of(pool, now), reader)]
    else:
        tables = [_table(each, best_of(each, now, PLAYERS), reader) for each in busiest_pools(POOLS)]
    names = [len(line["name"]) for table in tables for line in table["lines"]]
    return {
        "tables": tables,
        "one": bool(pool),
        "width": max(names, default=0),
        "mine": reader.player and reader.player.pk,
    }


def _table(pool: str, listed: Iterable[Listed], reader: Reader) -> Context:
    lines = [_line(each) | {"player": each.row.player_id, "name": each.row.player.name} for each in listed]
    return {"title": title(pool, reader.language), "pool": pool, "lines": lines}


def _line(listed: Listed) -> Context:
    return {
        "rating": figure(listed.strength),
        "deviation": round(listed.strength.deviation),
        "matches": listed.row.matches,
        "last": listed.row.at,
    }


def _result(section: Mapping[str, Any], reader: Reader) -> Context:
    """With what the match has done to the reader's rating, or why it has done nothing."""
    context = event_context(section, reader)
    match, seat = context["match"], context["seat"]
    row = change_of(match)
    if row is None or seat is None:
        return context
    if (strengths := row.strengths(seat.side)) is None:
        return context | {"uncounted": row.uncounted}
    before, after = strengths
    changed = {"title": title(row.pool, reader.language), "before": figure(before), "after": figure(after)}
    return context | {"rating": changed | {"deviation": round(after.deviation)}}


def _undone(section: Mapping[str, Any], reader: Reader) -> Context:
    """With whether a result has been taken back, which the ratings had counted perhaps."""
    context = event_context(section, reader)
    match, event = context["match"], context["event"]
    if not match.agreed.rated:
        return context
    before = match.events.filter(pk__lt=event.pk, kind__in=(Kind.ENDED, Kind.UNDONE, Kind.VOIDED)).last()
    return context | {"uncounted": before is not None and before.kind == Kind.ENDED}


BUILDERS: Mapping[str, Builder] = {
    "rating": _rating,
    "ratings": _ratings,
    "result": _result,
    "undone": _undone,
}
