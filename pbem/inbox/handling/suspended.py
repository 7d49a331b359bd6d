"""What a suspended player cannot do. Their matches go on: their opponents have done nothing wrong."""

from __future__ import annotations

from pbem.inbox.commands import Command
from pbem.inbox.commands.absence.grammar import Away
from pbem.inbox.commands.account.grammar import AddAddress, SetAddress
from pbem.inbox.commands.matchmaking.grammar import Accept, Challenge, Decline, Rematch
from pbem.inbox.commands.offers.grammar import Join, Offer
from pbem.inbox.commands.talking.grammar import Message, Say
from pbem.inbox.handling.context import CommandContext
from pbem.matches.models import Match
from pbem.refusals import Code, Refused

# No new matches, nothing that others read, no other mailbox to do it from.
TAKEN_AWAY = (Challenge, Rematch, Offer, Join, Say, Message, AddAddress, SetAddress)


def check(context: CommandContext, command: Command) -> None:
    """Refuses A07."""
    if context.player.suspended_at is None:
        return
    begins = isinstance(command, Accept) and _begins(context, command)
    if isinstance(command, TAKEN_AWAY) or begins or _has_words(command):
        raise Refused(Code.SUSPENDED)


def silences(context: CommandContext, chat: str) -> bool:
    """Whether the talk in the letter goes to nobody."""
    return context.player.suspended_at is not None and context.says(chat)


def _has_words(command: Command) -> bool:
    """Which others read: without them the same command is done."""
    match command:
        case Away(text=words) | Decline(reason=words):
            return bool(words)
    return False


def _begins(context: CommandContext, accept: Accept) -> bool:
    return context.seat(accept.match).match.status == Match.Status.PROPOSED
