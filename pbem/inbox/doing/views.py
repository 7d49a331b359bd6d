"""Looking at a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.views import Show
from pbem.inbox.doing.work import Doer
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _show(doing: Doing, show: Show) -> None:
    match = doing.seat(show.match).match
    ply = match.ply if show.ply is None else show.ply
    if not 0 <= ply <= match.ply:
        raise Refused("G10", match=match, number=show.ply)
    doing.tell({"kind": "board", "match": match.pk, "ply": ply}, match=match)


DO: Mapping[type[Command], Doer] = {
    Show: _show,
}
