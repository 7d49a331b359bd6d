"""Handler for takebacks."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.takeback.grammar import Undo
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.matches import takeback
from pbem.refusals import Code


@transaction.atomic
def _undo(context: CommandContext, undo: Undo) -> None:
    seat = context.seat(undo.match)
    count("asks", context, seat=seat, refusal=Code.TOO_MUCH_ASKED)
    takeback.undo(seat, undo.plies, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


HANDLERS: Mapping[type[Command], Handler] = {
    Undo: _undo,
}
