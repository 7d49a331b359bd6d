"""The lists of what there is, and help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.errors import UnknownName
from games.registry import find
from pbem.inbox.commands import Command, help_lines
from pbem.inbox.commands.families.general import Games, Help, Standings
from pbem.inbox.doing.work import Doer
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _games(doing: Doing, games: Games) -> None:
    doing.tell({"kind": "games"})


def _help(doing: Doing, command: Help) -> None:
    topic = command.topic
    if topic:
        try:
            topic = find(topic)[0].key
        except UnknownName as unknown:
            raise Refused("C02", text=command.topic, nearest=unknown.nearest) from None
    lines = [list(line) for line in help_lines(doing.player.language)]
    doing.tell({"kind": "help", "topic": topic, "commands": lines})


def _standings(doing: Doing, command: Standings) -> None:
    raise Refused("V01")


DO: Mapping[type[Command], Doer] = {
    Help: _help,
    Games: _games,
    Standings: _standings,
}
