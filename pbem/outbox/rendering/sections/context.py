"""Defines the types of section contexts, and summarises rules for new players."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q

from games.pages import brief
from games.registry import find
from pbem.matches.models import Invitation, Match
from pbem.outbox.rendering.recipient import Reader
from pbem.players.models import Player

Context = dict[str, Any]
Builder = Callable[[Mapping[str, Any], Reader], Context]


# Rules in brief, for players who are new to a game

_MOST_LINES = 5  # of ten; a turn letter is short


def goal_of(match: Match, reader: Reader) -> str:
    """Returns the aim of a game and the course of a turn on one line. Empty when the reader knows it."""
    aim, _, points = rules_in_brief(match, reader).partition("\n\n")
    told = aim.splitlines()
    for point in re.split(r"^- ", points, flags=re.MULTILINE)[1:]:
        lines = point.splitlines()
        if len(told) + len(lines) > _MOST_LINES:
            break
        told += lines
    return " ".join(" ".join(told).split())


def rules_in_brief(match: Match, reader: Reader) -> str:
    """Returns the ten-line rules. Empty when the reader knows them."""
    if reader.player is None or match.game.key in _known(match, reader.player):
        return ""
    return brief(match.game.rules_page(reader.language))


def _known(match: Match, player: Player) -> set[str]:
    """Returns the games of the player's other matches, and of this one if they were invited to it."""
    invited = Exists(Invitation.objects.filter(match=OuterRef("pk")).exclude(challenger=player))
    begun = Match.objects.of(player).exclude(status=Match.Status.PROPOSED)
    names = begun.filter(~Q(pk=match.pk) | invited).values_list("game_name", flat=True).distinct()
    return {find(name)[0].key for name in names}
