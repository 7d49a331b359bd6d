"""What is said to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.talking import Say
from pbem.inbox.doing.work import Doer
from pbem.matches.services import say

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _say(doing: Doing, command: Say) -> None:
    say(doing.seat(command.match), command.text, now=doing.now, letter=doing.row.pk)


DO: Mapping[type[Command], Doer] = {
    Say: _say,
}
