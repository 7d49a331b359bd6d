"""The list of players who want to be found."""

from __future__ import annotations

from pbem.inbox.commands.command import Players
from pbem.inbox.commands.line import CommandLine, game_of, key_of
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches.matchmaking.seeks import open_to
from pbem.ratings.leaderboards import rating_at


def _read_players(line: CommandLine) -> Players | None:
    # In a reply to a turn "Players." alone may be talk.
    match line.words:
        case [] if line.match is None and (line.own is None or line.clear):
            return Players()
        case words if line.match is None and (game := game_of(words)):
            return Players(key_of(game))
    return None


def _players(context: CommandContext, command: Players) -> None:
    """Lists the players, and the open offers of others if there are any."""
    at = context.now.isoformat()
    context.reply({"kind": "players", "game": command.game, "at": at})
    seeks = open_to(context.player, game=command.game, now=context.now, rating=rating_at(context.now))
    if any(seek.player != context.player for seek in seeks):
        context.reply({"kind": "open", "game": command.game, "at": at})


VERBS: Verbs = {
    Players: (_read_players, _players),
}
