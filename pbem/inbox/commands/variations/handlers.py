"""Handler for trying moves."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.variations.grammar import Try
from pbem.inbox.commands.views.handlers import seen
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.outbox.rendering.strip import MOST


def _try(context: CommandContext, command: Try) -> None:
    match, ply = seen(context, command.match)
    moves, left = list(command.moves[:MOST]), len(command.moves[MOST:])
    context.reply({"kind": "tried", "match": match.pk, "ply": ply, "moves": moves, "left": left}, match=match)


HANDLERS: Mapping[type[Command], Handler] = {Try: _try}
