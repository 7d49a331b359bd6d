"""Handler for statistics, which only the player gets."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.stats.grammar import Stats
from pbem.inbox.handling.context import CommandContext, Handler


def _stats(context: CommandContext, stats: Stats) -> None:
    context.reply({"kind": "stats", "at": context.now.isoformat()})


HANDLERS: Mapping[type[Command], Handler] = {Stats: _stats}
