"""The export of a player's data."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.inbox.commands.command import MyData
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Player
from pbem.refusals import Code, Refused
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


@transaction.atomic
def send_own_data(player: Player, *, now: datetime) -> None:
    """Sends the export to the player's address, as they have asked for on a page. Refuses L05."""
    if take_place("exports", f"player:{player.pk}", now) is None:
        raise Refused(Code.TOO_MANY_EXPORTS, limit=CAPS["exports"].most)
    cause = f"my_data:{player.pk}:{now:%Y%m%dT%H%M%S}"
    write_to_player(player, cause=cause, section={"kind": "my_data"}, now=now, answers=True)


VERBS: Verbs = {
    MyData: (_read_my_data, _my_data),
}
