"""The section with the reader's own figures: how their matches ended, game by game, and how soon they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count

from games.registry import games
from pbem.matches.matchmaking.reliability import reliability_of
from pbem.matches.models import Match, Seat
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player

ENDS = ("won", "lost", "drawn")


def _stats(section: Mapping[str, Any], reader: Reader) -> Context:
    if reader.player is None:
        return {"tallies": []}
    counted: dict[str, Counter[str]] = {}
    for game, ends, number in _counted(reader.player):
        counted.setdefault(game, Counter()).update(dict.fromkeys(ends, number))
    titles = {key: game.phrases(reader.language)["name"] for key, game in games().items()}
    tallies = [_tally(titles.get(game, game), counted[game]) for game in sorted(counted)]
    return {
        "tallies": tallies,
        "all": _tally("", sum(counted.values(), Counter())) if len(tallies) > 1 else None,
        "known": reliability_of(reader.player, datetime.fromisoformat(section["at"])),
    }


def _counted(player: Player) -> Iterator[tuple[str, list[str], int]]:
    """Of each game how often a match ended so; what runs has not ended yet."""
    seats = Seat.objects.filter(player=player, match__status__in=(Match.Status.PLAYING, Match.Status.OVER))
    facts = ("match__game_name", "side", "match__status", "match__winner", "match__reason")
    for name, side, status, winner, reason, number in (
        seats.values_list(*facts).annotate(Count("pk")).order_by()
    ):
        yield name.partition(":")[0], _ends(side, status, winner, reason), number


def _ends(side: int, status: str, winner: int | None, reason: str) -> list[str]:
    if status == Match.Status.PLAYING:
        return ["running"]
    if winner is None:
        return ["drawn"]
    if winner == side:
        return ["won"]
    return ["lost", "on_time"] if reason == "time" else ["lost"]


def _tally(title: str, ends: Counter[str]) -> Context:
    played = sum(ends[end] for end in ENDS)
    return {"title": title, "played": played} | {end: ends[end] for end in (*ENDS, "on_time", "running")}


BUILDERS: Mapping[str, Builder] = {"stats": _stats}
