"""Following the matches of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.watching import Unwatch, Watch
from pbem.inbox.doing.work import Doer
from pbem.matches.watching import unwatch, watch

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _watch(doing: Doing, command: Watch) -> None:
    watching = watch(doing.player, command.number, delay=command.delay, daily=command.daily, now=doing.now)
    section = {"kind": "watching", "match": command.number, "ply": watching.shown, "daily": watching.daily}
    doing.tell(section | {"delay": watching.delay}, match=watching.match)


def _unwatch(doing: Doing, command: Unwatch) -> None:
    match = unwatch(doing.player, command.number)
    doing.tell({"kind": "unwatched", "match": match.pk}, match=match)


DO: Mapping[type[Command], Doer] = {
    Watch: _watch,
    Unwatch: _unwatch,
}
