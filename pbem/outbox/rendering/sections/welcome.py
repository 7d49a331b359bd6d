"""The section that a new player gets: lines to send, by one tap, with which a match begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from games.pages import brief
from games.registry import find
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


def _challenge(robot: Player, game: str = EXAMPLE) -> str:
    return gettext("CHALLENGE %(name)s %(game)s") % {"name": robot.name, "game": game}


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
    games = _others(known, section.get("game") or EXAMPLE)
    robot = Player.objects.robots().first()
    about = next((each for each in known_games(reader) if each["name"] == section.get("game")), None)
    said = {"games": games, "robot": robot.name if robot else "", "about": about}
    return {
        **section,
        **said,
        "proposes": bool(robot and section.get("proposed")),
        **_absent(section, reader),
    }


def _game(section: Mapping[str, Any], reader: Reader) -> Context:
    """What a game is about, and unless it is being `played`, how a match of it begins."""
    about = next(each for each in known_games(reader) if each["name"] == section["game"])
    game, robot = section["game"], Player.objects.robots().first()
    friend = gettext("CHALLENGE friend@example.org %(game)s") % {"game": game}
    taps = [{"way": "robot", "command": _challenge(robot, game)}] if robot else []
    taps += [
        {"way": "a_friend", "command": friend},
        {"way": "offer", "command": f"{gettext('OFFER')} {game}"},
    ]
    page = brief(find(game)[0].rules_page(reader.language))
    return {"about": about, "game": game, "brief": page, "taps": [] if section.get("played") else taps}


def _signup(section: Mapping[str, Any], reader: Reader) -> Context:
    """The question to a stranger, with what else can be played where they named no game."""
    yes = f"{gettext('YES')} {section['name'] if section.get('taken') else ''}".strip()
    robots = Player.objects.robots().exists()
    section = {**section, "yes": yes, "robots": robots, **_absent(section, reader)}
    known = {game["name"]: game["title"] for game in known_games(reader)}
    if not section.get("example"):
        return {**section, "title": known.get(section.get("game", ""), "")}
    return {**section, "title": known[EXAMPLE], "games": _others(known, EXAMPLE)}


def _about(section: Mapping[str, Any], reader: Reader) -> Context:
    return {**section, **_absent(section, reader)}


def _absent(section: Mapping[str, Any], reader: Reader) -> Context:
    """To somebody who asks for a game that is not played here: what is, and the nearest of it."""
    if not section.get("absent"):
        return {}
    known = known_games(reader)
    nearest = next((game for game in known if game["name"] == section["nearest"]), None)
    return {"nearest": nearest, "played_here": _others({game["name"]: game["title"] for game in known}, "")}


def _others(known: Mapping[str, str], shown: str) -> list[str]:
    return [
        name if fold(title) == name else f"{name} ({title})" for name, title in known.items() if name != shown
    ]


BUILDERS: Mapping[str, Builder] = {
    "welcome": _welcome,
    "invitation": _invitation,
    "signup": _signup,
    "about": _about,
    "game": _game,
}
