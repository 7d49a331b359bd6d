"""What a suspended player cannot do. His matches go on: his opponents have done nothing wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.account import AddAddress, SetAddress
from pbem.inbox.commands.families.matchmaking import Accept, Challenge, Rematch
from pbem.inbox.commands.families.offers import Join, Offer
from pbem.inbox.commands.families.talking import Message, Say
from pbem.matches.models import Match
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing

# No new matches, nothing that others read, no other mailbox to do it from.
TAKEN_AWAY = (Challenge, Rematch, Offer, Join, Say, Message, AddAddress, SetAddress)


def check(doing: Doing, command: Command) -> None:
    """Refuses A07."""
    if doing.player.suspended_at is None:
        return
    if isinstance(command, TAKEN_AWAY) or (isinstance(command, Accept) and _begins(doing, command)):
        raise Refused("A07")


def silences(doing: Doing, chat: str) -> bool:
    """Whether the talk in the letter goes to nobody."""
    return doing.player.suspended_at is not None and doing.says(chat)


def _begins(doing: Doing, accept: Accept) -> bool:
    return doing.seat(accept.match).match.status == Match.Status.PROPOSED
