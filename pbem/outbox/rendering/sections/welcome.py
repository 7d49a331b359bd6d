"""The section that a new player gets: lines to send, by one tap, with which a match begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from pbem.matches.matchmaking.seeks import open_to
from pbem.matches.models import Seek
from pbem.outbox.rendering.durations import in_short
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.directory import EXAMPLE
from pbem.outbox.rendering.sections.lists import known_games
from pbem.players.languages import ZONES
from pbem.players.models import Player
from pbem.ratings.lists import rating_at
from pbem.wording import fold

MOST_OFFERS = 3


def _welcome(section: Mapping[str, Any], reader: Reader) -> Context:
    now = reader.written_at
    open_now = open_to(reader.player, now=now, rating=rating_at(now)) if reader.player else []
    seeks = [seek for seek in open_now if seek.player != reader.player]
    robot = Player.objects.robots().first()
    taps = [{"way": "robot", "command": _challenge(robot)}] if robot else []
    taps += [{"way": "friend", "command": gettext("CHALLENGE friend@example.org loa")}]
    taps += [_join(seek, reader) for seek in seeks[:MOST_OFFERS]]
    if not seeks:
        taps.append({"way": "offer", "command": gettext("OFFER loa")})
    taps.append({"way": "listed", "command": gettext("SET LISTED yes")})
    asks_zone = reader.language not in ZONES
    if asks_zone:
        taps.append({"way": "zone", "command": gettext("SET ZONE London")})
    return {"taps": taps, "games": known_games(reader), "asks_zone": asks_zone}


def _challenge(robot: Player) -> str:
    return gettext("CHALLENGE %(name)s %(game)s") % {"name": robot.name, "game": EXAMPLE}


def _join(seek: Seek, reader: Reader) -> dict[str, str]:
    return {
        "way": "join",
        "command": gettext("JOIN %(number)s") % {"number": seek.pk},
        "name": seek.player.name,
        "title": str(seek.game.phrases(reader.language)["name"]),
        "clock": in_short(seek.agreed),
    }


def _invitation(section: Mapping[str, Any], reader: Reader) -> Context:
    """How to begin, with what else can be played."""
    known = {game["name"]: game["title"] for game in known_games(reader)}
    shown = section.get("game") or "loa"
    games = [
        name if fold(title) == name else f"{name} ({title})" for name, title in known.items() if name != shown
    ]
    robot = Player.objects.robots().first()
    return {**section, "games": games, "robot": robot.name if robot else ""}


BUILDERS: Mapping[str, Builder] = {"welcome": _welcome, "invitation": _invitation}
