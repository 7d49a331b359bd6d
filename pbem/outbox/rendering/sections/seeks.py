"""Sections about open offers: what they are for, by whom, and on which conditions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from games.protocol import Side
from games.registry import games, in_words
from pbem.matches.matchmaking.reliability import reliability_of
from pbem.matches.matchmaking.seeks import open_to
from pbem.matches.models import Seek
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.directory import EXAMPLE
from pbem.players.models import Player
from pbem.ratings.lists import rating_at, told_strength


def _open(section: Mapping[str, Any], reader: Reader) -> Context:
    """The offers that the reader can take, and their own; after a change of their own, those alone."""
    player, now = reader.player, datetime.fromisoformat(section["at"])
    changed = section.get("made") or section.get("closed")
    seeks = open_to(player, game=section.get("game", ""), now=now, rating=rating_at(now)) if player else []
    shown = [seek for seek in seeks if not changed or seek.player == player]
    made = next((seek for seek in shown if seek.pk == section.get("made")), None)
    waiting = made or next((seek for seek in shown if seek.player == player), None)
    same = [seek for seek in seeks if made and seek.player != player and seek.game.key == made.game.key]
    offers, others = ([_line(seek, reader, now) for seek in each] for each in (shown, same))
    return {
        "made": section.get("made"),
        "closed": section.get("closed"),
        "joined": section.get("joined", False),
        "offers": offers,
        "same": others,
        "taps": [*offers, *others],
        "waiting": waiting is not None,
        "robot": Player.objects.robots().first() if player and (waiting or not (shown or changed)) else None,
        "named": waiting.game.key if waiting else section.get("game") or EXAMPLE,
        "game": _title(section["game"], reader) if section.get("game") else "",
    }


def _line(seek: Seek, reader: Reader, now: datetime) -> Context:
    yours = seek.player == reader.player
    return {
        "number": seek.pk,
        "command": (gettext("CLOSE %(number)s") if yours else gettext("JOIN %(number)s"))
        % {"number": seek.pk},
        "title": _title(seek.game.key, reader),
        "variant": in_words(seek.game_name, reader.language),
        "name": seek.player.name,
        "yours": yours,
        "keep": seek.keep,
        "terms": seek.agreed,
        "first": "" if seek.side is None else "offerer" if seek.side == Side.FIRST else "other",
        "on_time": seek.on_time,
        "conditions": seek.conditions,
        "writes": gettext(dict(settings.LANGUAGES)[seek.language]) if seek.language else "",
        "known": None if yours else reliability_of(seek.player, now),
        "strength": None if yours else told_strength(seek.player, seek.game_name, now),
    }


def _title(key: str, reader: Reader) -> str:
    return str(games()[key].phrases(reader.language)["name"])


def offer_of(number: int, reader: Reader, now: datetime) -> Context | None:
    """The line of one that the reader is asked whether they take."""
    seek = Seek.objects.select_related("player").filter(pk=number).first()
    return _line(seek, reader, now) if seek else None


BUILDERS: Mapping[str, Builder] = {"open": _open}
