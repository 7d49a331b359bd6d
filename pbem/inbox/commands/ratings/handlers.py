"""Handlers for ratings."""

from __future__ import annotations

from collections.abc import Mapping

from games.protocol import UnknownName
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.matchmaking.handlers import player_called
from pbem.inbox.commands.ratings.grammar import OPPONENT, Rating, Ratings
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.players.models import Player
from pbem.ratings.leaderboards import is_used, pool_called, ratings_of
from pbem.ratings.robots import ratings_of_robot
from pbem.refusals import Code, Refused
from pbem.wording import fold


def _rating(context: CommandContext, command: Rating) -> None:
    player, seat = context.player, context.token_seat
    if seat and fold(command.who) in OPPONENT:
        player = seat.opponent.player
    elif command.who:
        player = player_called(context, command.who, Player.objects.filter(suspended_at=None))
    known = ratings_of_robot if player.robot else ratings_of
    if player != context.player and not known(player, context.now):
        raise Refused(Code.NO_RATINGS)
    context.reply({"kind": "rating", "player": player.pk, "at": context.now.isoformat()})


def _ratings(context: CommandContext, command: Ratings) -> None:
    pool = ""
    if command.game:
        try:
            pool = pool_called(command.game)
        except UnknownName as unknown:
            raise Refused(Code.NO_SUCH_GAME, text=command.game, nearest=unknown.nearest) from None
        if not is_used(pool):
            raise Refused(Code.NO_RATINGS)
    context.reply({"kind": "ratings", "pool": pool, "at": context.now.isoformat()})


HANDLERS: Mapping[type[Command], Handler] = {Rating: _rating, Ratings: _ratings}
