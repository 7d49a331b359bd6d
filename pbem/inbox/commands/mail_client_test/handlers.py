"""Handler for the test letter."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.mail_client_test.grammar import Check
from pbem.inbox.handling.context import CommandContext, Handler


def _test(context: CommandContext, test: Check) -> None:
    # A letter of its own, so that its answer is known by the address.
    context.reply({"kind": "test"}, cause=f"test:{context.row.pk}")


HANDLERS: Mapping[type[Command], Handler] = {Check: _test}
