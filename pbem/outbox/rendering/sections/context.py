"""The shape of what a section's templates are given, and of what makes it."""

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


# What a game is about, for a player who has never played it and may know no more than its name.

_MOST_LINES = 5  # of the ten; a turn letter is short


def goal_of(match: Match, reader: Reader) -> str:
    """Its aim and how a turn goes, as far as there is room, on one line; "" for anyone who has played it, or read them
    in their invitation."""
    aim, _, points = rules_in_brief(match, reader).partition("\n\n")
    told = aim.splitlines()
    for point in re.split(r"^- ", points, flags=re.MULTILINE)[1:]:
        lines = point.splitlines()
        if len(told) + len(lines) > _MOST_LINES:
            break
        told += lines
    return " ".join(" ".join(told).split())


def rules_in_brief(match: Match, reader: Reader) -> str:
    """The ten lines of its rules; "" for the same."""
    if reader.player is None or match.game.key in _known(match, reader.player):
        return ""
    return brief(match.game.rules_page(reader.language))


def _known(match: Match, player: Player) -> set[str]:
    """The games of their other matches, and of this one if they were invited to it."""
    invited = Exists(Invitation.objects.filter(match=OuterRef("pk")).exclude(challenger=player))
    begun = Match.objects.of(player).exclude(status=Match.Status.PROPOSED)
    names = begun.filter(~Q(pk=match.pk) | invited).values_list("game_name", flat=True).distinct()
    return {find(name)[0].key for name in names}
