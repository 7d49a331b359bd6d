"""Sections that list matches or games, or explain one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from games.registry import find, games
from pbem.matches.models import Match
from pbem.outbox.rendering.match_summary import standings
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.rules_page import guide_page, robots_page, rules_page
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.invitations import what_now
from pbem.outbox.sealed_addresses import play_address

MOST_LISTED = 100  # matches in one letter


def _games(section: Mapping[str, Any], reader: Reader) -> Context:
    return _standings(reader) | {"games": known_games(reader)}


def _status(section: Mapping[str, Any], reader: Reader) -> Context:
    """All matches, or `only` one, which may be over."""
    if section["only"] is None:
        return _standings(reader)
    return {"matches": standings([reader.match(section["only"])], reader)}


def _standings(reader: Reader) -> Context:
    """Their own matches, and those that they watch."""
    if reader.player is None:
        return {"matches": []}
    mine = Match.objects.alive().of(reader.player).order_by("pk")
    watched = Match.objects.filter(watchings__player=reader.player, status=Match.Status.PLAYING)
    return {
        "matches": standings(mine[:MOST_LISTED], reader),
        "more": max(0, mine.count() - MOST_LISTED),
        "watched": standings(watched.order_by("pk")[:MOST_LISTED], reader),
    }


def _help(section: Mapping[str, Any], reader: Reader) -> Context:
    if section.get("guide"):
        page = guide_page(reader.notation, play_address(), reader.look.palette)
        return {"page": page, "title": gettext("The player's guide"), "guide": True}
    if section.get("robots"):
        return {"page": robots_page(reader.language), "title": gettext("Robots"), "guide": True}
    if topic := section.get("topic"):
        game = find(topic)[0]
        rules = {
            "page": rules_page(game, reader.notation, reader.look.palette),
            "title": game.phrases(reader.language)["name"],
            "game": game.key,
            "seat": section.get("seat"),
        }
        asked = section.get("invitation")
        return rules | (what_now(asked, reader) if asked else {})
    if essentials := section.get("essentials"):
        names = ", ".join(sorted(games()))
        return {"essentials": essentials, "width": max(len(how) for how, _ in essentials) + 2, "names": names}
    verb = section.get("verb", "")
    return {"chapters": section["chapters"], "verb": verb, "games": () if verb else known_games(reader)}


def known_games(reader: Reader) -> list[Context]:
    spoken = {key: game.phrases(reader.language) for key, game in games().items()}
    return [{"name": key, "title": said["name"], "summary": said["summary"]} for key, said in spoken.items()]


BUILDERS: Mapping[str, Builder] = {
    "games": _games,
    "status": _status,
    "help": _help,
}
