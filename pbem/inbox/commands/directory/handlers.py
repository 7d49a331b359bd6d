"""The list of players who want to be found."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.matchmaking.seeks import open_to
from pbem.ratings.lists import rating_at


def _players(context: CommandContext, command: Players) -> None:
    """With the offers that wait for an opponent: who looks for a game need not know that they are another list."""
    at = context.now.isoformat()
    context.reply({"kind": "players", "game": command.game, "at": at})
    seeks = open_to(context.player, game=command.game, now=context.now, rating=rating_at(context.now))
    if any(seek.player != context.player for seek in seeks):
        context.reply({"kind": "open", "game": command.game, "at": at})


HANDLERS: Mapping[type[Command], Handler] = {Players: _players}
