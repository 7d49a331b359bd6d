"""Handlers for clocks and claims."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.clocks.grammar import Claim, Clock
from pbem.inbox.commands.command import Command
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.clock import deadlines


def _clock(context: CommandContext, clock: Clock) -> None:
    """Shows all clocks when neither the command nor the letter names a match."""
    at = context.now.isoformat()
    if clock.match is None and context.token_seat is None:
        context.reply({"kind": "clock", "at": at})
        return
    match = context.seat(clock.match).match
    context.reply({"kind": "clock", "match": match.pk, "at": at}, match=match)


def _claim(context: CommandContext, claim: Claim) -> None:
    deadlines.claim(context.seat(claim.match), now=context.now, letter=context.row.pk)


HANDLERS: Mapping[type[Command], Handler] = {
    Clock: _clock,
    Claim: _claim,
}
