"""Handlers for limits, refusals and blocks."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.blocks.grammar import Allow, Block, Limit, Limits, Refuse
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.matchmaking.handlers import player_called
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.players import blocks
from pbem.players.models import Player


def _limits(context: CommandContext, limits: Limits) -> None:
    context.reply({"kind": "limits"})


def _limit(context: CommandContext, limit: Limit) -> None:
    blocks.limit(context.player, limit.game, limit.most)
    context.reply({"kind": "limits"})


def _refuse(context: CommandContext, refuse: Refuse) -> None:
    blocks.refuse(
        context.player,
        player_called(context, refuse.who, known=Player.objects.all()),
        game=refuse.game,
        now=context.now,
    )
    context.reply({"kind": "limits"})


def _block(context: CommandContext, block: Block) -> None:
    blocks.refuse(
        context.player,
        player_called(context, block.who, known=Player.objects.all()),
        blocked=True,
        now=context.now,
    )
    context.reply({"kind": "limits"})


def _allow(context: CommandContext, allow: Allow) -> None:
    blocks.allow(context.player, player_called(context, allow.who, known=Player.objects.all()))
    context.reply({"kind": "limits"})


HANDLERS: Mapping[type[Command], Handler] = {
    Limit: _limit,
    Limits: _limits,
    Refuse: _refuse,
    Block: _block,
    Allow: _allow,
}
