"""Handler for the list of players."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.matchmaking.seeks import open_to
from pbem.ratings.leaderboards import rating_at


def _players(context: CommandContext, command: Players) -> None:
    """Lists the players, and the open offers of others if there are any."""
    at = context.now.isoformat()
    context.reply({"kind": "players", "game": command.game, "at": at})
    seeks = open_to(context.player, game=command.game, now=context.now, rating=rating_at(context.now))
    if any(seek.player != context.player for seek in seeks):
        context.reply({"kind": "open", "game": command.game, "at": at})


HANDLERS: Mapping[type[Command], Handler] = {Players: _players}
