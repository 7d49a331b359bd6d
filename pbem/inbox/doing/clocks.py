"""Reflection time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.clocks import Claim, Clock
from pbem.inbox.doing.work import Doer
from pbem.inbox.recipient import seat_of
from pbem.matches.time import deadlines

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _clock(doing: Doing, clock: Clock) -> None:
    """Without a number, and in a letter about no match, it asks about all."""
    at = doing.now.isoformat()
    if clock.match is None and seat_of(doing.addressed) is None:
        doing.tell({"kind": "clocks", "at": at})
        return
    match = doing.seat(clock.match).match
    doing.tell({"kind": "clock", "match": match.pk, "at": at}, match=match)


def _claim(doing: Doing, claim: Claim) -> None:
    deadlines.claim(doing.seat(claim.match), now=doing.now, letter=doing.row.pk)


DO: Mapping[type[Command], Doer] = {
    Clock: _clock,
    Claim: _claim,
}
