"""The export of a player's data."""

from __future__ import annotations

from django.db import transaction

from pbem.inbox.commands.command import MyData
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.refusals import Code
from pbem.wording import fold, wording

_PHRASES = wording(__name__).words("phrases")


def _read_my_data(line: CommandLine) -> MyData | None:
    # In a reply to a turn "My data." may be talk, in capitals it is not.
    said = fold(" ".join((line.word, *line.words)))
    meant = line.match is None and (line.rest.isupper() or line.own is None)
    return MyData() if meant and said in _PHRASES else None


@transaction.atomic
def _my_data(context: CommandContext, command: MyData) -> None:
    count("exports", context, refusal=Code.TOO_MANY_EXPORTS)
    context.reply({"kind": "my_data"})


VERBS: Verbs = {
    MyData: (_read_my_data, _my_data),
}
