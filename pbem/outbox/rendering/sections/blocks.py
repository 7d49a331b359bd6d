"""The section about how much is enough for the reader, and whom they refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.registry import games
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context


def _limits(section: Mapping[str, Any], reader: Reader) -> Context:
    player = reader.player
    if player is None:
        return {"limits": [], "refused": []}
    titles = {key: game.phrases(reader.language)["name"] for key, game in games().items()}
    refused = player.refusings.select_related("refused").order_by("refused__folded", "game")
    return {
        "limits": [
            {"game": titles.get(limit.game, ""), "most": limit.most}
            for limit in player.limits.order_by("game")
        ],
        "refused": [
            {"name": each.refused.name, "game": titles.get(each.game, ""), "blocked": each.blocked}
            for each in refused
        ],
    }


BUILDERS: Mapping[str, Builder] = {"limits": _limits}
