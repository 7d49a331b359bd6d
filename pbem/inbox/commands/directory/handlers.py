"""The list of players who want to be found."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.handler import Handler


def _players(context: CommandContext, command: Players) -> None:
    context.reply({"kind": "players", "game": command.game, "at": context.now.isoformat()})


HANDLERS: Mapping[type[Command], Handler] = {Players: _players}
