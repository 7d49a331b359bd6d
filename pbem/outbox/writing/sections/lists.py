"""Sections that list matches or games, or explain one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.registry import find, games, in_words
from pbem.matches.models import Match
from pbem.outbox.writing.page import rules_page
from pbem.outbox.writing.reader import Reader
from pbem.outbox.writing.sections.context import Builder, Context


def _games(section: Mapping[str, Any], reader: Reader) -> Context:
    mine = Match.objects.alive().of(reader.player).order_by("pk") if reader.player else ()
    return {"matches": [_line(match, reader) for match in mine], "games": _known_games(reader)}


def _line(match: Match, reader: Reader) -> Context:
    seat = reader.seat_in(match)
    return {
        "match": match,
        "title": match.game.phrases(reader.language)["name"],
        "opponent": seat.opponent.player.name if seat else "",
        "variant": in_words(match.game_name, reader.language),
        "yours": seat is not None and seat.is_to_move,
        "open": match.status == Match.Status.PROPOSED,
        "own_challenge": match.proposer_id == getattr(reader.player, "pk", None),
    }


def _welcome(section: Mapping[str, Any], reader: Reader) -> Context:
    return {"games": _known_games(reader)}


def _help(section: Mapping[str, Any], reader: Reader) -> Context:
    if topic := section.get("topic"):
        game = find(topic)[0]
        return {
            "page": rules_page(game, reader.notation),
            "title": game.phrases(reader.language)["name"],
        }
    return {"commands": section["commands"], "games": _known_games(reader)}


def _known_games(reader: Reader) -> list[Context]:
    spoken = {key: game.phrases(reader.language) for key, game in games().items()}
    return [{"name": key, "title": said["name"], "summary": said["summary"]} for key, said in spoken.items()]


BUILDERS: Mapping[str, Builder] = {
    "games": _games,
    "help": _help,
    "welcome": _welcome,
}
