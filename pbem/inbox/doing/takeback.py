"""Moves taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.takeback import Undo
from pbem.inbox.doing.counting import count
from pbem.inbox.doing.work import Doer
from pbem.matches import takeback

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


@transaction.atomic
def _undo(doing: Doing, undo: Undo) -> None:
    seat = doing.seat(undo.match)
    count("asks", doing, seat=seat, refusal="K19")
    takeback.undo(seat, undo.plies, now=doing.now, arrived=doing.arrival_in(seat), letter=doing.row.pk)


DO: Mapping[type[Command], Doer] = {
    Undo: _undo,
}
