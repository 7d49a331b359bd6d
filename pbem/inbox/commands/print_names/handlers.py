"""Handler for the printed name."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.print_names.grammar import Print
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.players import services


def _print(context: CommandContext, command: Print) -> None:
    if command.agreed:
        services.allow(context.player, command.name, now=context.now)
    elif command.agreed is False:
        services.withdraw(context.player)
    context.reply({"kind": "print_name"})


HANDLERS: Mapping[type[Command], Handler] = {Print: _print}
