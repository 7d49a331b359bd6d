"""What a suspended player cannot do. Their matches go on: their opponents have done nothing wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.absence import Away
from pbem.inbox.commands.families.account import AddAddress, SetAddress
from pbem.inbox.commands.families.matchmaking import Accept, Challenge, Decline, Rematch
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
    begins = isinstance(command, Accept) and _begins(doing, command)
    if isinstance(command, TAKEN_AWAY) or begins or _has_words(command):
        raise Refused("A07")


def silences(doing: Doing, chat: str) -> bool:
    """Whether the talk in the letter goes to nobody."""
    return doing.player.suspended_at is not None and doing.says(chat)


def _has_words(command: Command) -> bool:
    """Which others read: without them the same command is done."""
    match command:
        case Away(text=words) | Decline(reason=words):
            return bool(words)
    return False


def _begins(doing: Doing, accept: Accept) -> bool:
    return doing.seat(accept.match).match.status == Match.Status.PROPOSED
