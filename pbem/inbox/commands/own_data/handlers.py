"""Handler for the data export, which goes to the registered address for any sender."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.own_data.grammar import MyData
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.refusals import Code


@transaction.atomic
def _my_data(context: CommandContext, command: MyData) -> None:
    count("exports", context, refusal=Code.TOO_MANY_EXPORTS)
    context.reply({"kind": "my_data"})


HANDLERS: Mapping[type[Command], Handler] = {MyData: _my_data}
