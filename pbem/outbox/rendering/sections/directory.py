"""The section that lists players who want to be found."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from games.registry import games
from pbem.matches.matchmaking.directory import Listed, listed
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player

EXAMPLE = "loa"  # to whom nothing is known yet


def _players(section: Mapping[str, Any], reader: Reader) -> Context:
    """Names and figures; no address is ever told."""
    game = section.get("game", "")
    found = (
        listed(reader.player, game=game, now=datetime.fromisoformat(section["at"])) if reader.player else []
    )
    players = [_line(entry, game, reader) for entry in found]
    return {
        "players": players,
        "taps": players,
        "robot": None if found or not reader.player else Player.objects.robots().first(),
        "game": game or EXAMPLE,
        "title": _title(game, reader) if game else "",
        "in_it": reader.player is not None and reader.player.listed,
    }


def _line(entry: Listed, game: str, reader: Reader) -> Context:
    named = game or next(iter(entry.games), EXAMPLE)
    return {
        "name": entry.player.name,
        "plays": [_title(key, reader) for key in entry.games],
        "known": entry.known,
        "command": gettext("CHALLENGE %(name)s %(game)s") % {"name": entry.player.name, "game": named},
    }


def _title(key: str, reader: Reader) -> str:
    return str(games()[key].phrases(reader.language)["name"]) if key in games() else key


BUILDERS: Mapping[str, Builder] = {"players": _players}
