"""Handlers for open offers."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom

from django.db import transaction

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Close, Join, Offer, Open
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.matches.matchmaking import seeks
from pbem.ratings.leaderboards import rating_at
from pbem.refusals import Code


def _offer(context: CommandContext, offer: Offer) -> None:
    make(context, offer, keep=offer.keep)


def make(context: CommandContext, wish: Offer | Challenge, *, keep: int | None = None) -> None:
    """Makes an offer to all players."""
    made = seeks.offer(
        context.player,
        game=wish.game,
        options=wish.options,
        setup=wish.setup,
        keep=keep,
        now=context.now,
        rng=SystemRandom(),
    )
    context.reply({"kind": "open", "made": made.pk, "at": context.now.isoformat()})


def _open(context: CommandContext, command: Open) -> None:
    context.reply({"kind": "open", "game": command.game, "at": context.now.isoformat()})


@transaction.atomic
def _join(context: CommandContext, join: Join) -> None:
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = seeks.join(
        context.player,
        join.number,
        now=context.now,
        rng=SystemRandom(),
        rating=rating_at(context.now),
        letter=context.row.pk,
    )
    context.meets(match)
    for number in seeks.close_same(context.player, match.game_name, now=context.now):
        context.reply({"kind": "open", "closed": number, "joined": True, "at": context.now.isoformat()})


def _close(context: CommandContext, close: Close) -> None:
    seeks.close(context.player, close.number, now=context.now)
    context.reply({"kind": "open", "closed": close.number, "at": context.now.isoformat()})


HANDLERS: Mapping[type[Command], Handler] = {
    Offer: _offer,
    Open: _open,
    Join: _join,
    Close: _close,
}
