"""Whether somebody whose mailbox or Subject looks like a machine's is a player all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.recipient import ConfirmRecipient, InvitationRecipient, PlayRecipient, Recipient
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.headers import Glance
from pbem.players.models import Player
from pbem.players.tokens import Purpose

# Only machines write to these, or it does not matter who does.
_FOR_MACHINES = (Purpose.BOUNCE, Purpose.UNSUBSCRIBE, Purpose.NEVER)


def as_person(
    headers: Glance,
    recipient: Recipient | None,
    players: Sequence[Player],
    dmarc: Dmarc,
    *,
    registers: bool,
    commands: bool,
) -> Glance:
    """The headers, without what was only guessed of who wrote them.

    The reader of a letter of ours who answers it from the mailbox that it went to is a person, whatever the
    Subject. Whose provider vouches for the mailbox of a player, or of somebody who wants to be one, is, whatever
    the mailbox is called. What a letter declares itself to be (RFC 3834, 3464) it is, with two exceptions: some
    people's programs write as if to many, and a program may play for a player who has said so. Of the one, `commands`
    that come from a player's mailbox count; of the other, those in answer to a letter of ours, and nothing else.
    """
    if headers.automatic is None or recipient is None or not headers.author:
        return headers
    theirs, current = _is_of(players, headers.author), recipient.state == "current"
    if isinstance(recipient, PlayRecipient):
        known = dmarc is Dmarc.PASS and (registers or theirs)
        to_many = headers.but_to_many if theirs and commands else headers.automatic
        return replace(headers, automatic=headers.automatic_by_any_name and to_many) if known else headers
    if recipient.purpose in _FOR_MACHINES:
        return headers
    # An absence that an old program announces is bulk mail, too.
    read = theirs and (commands or (current and headers.declared == "list"))
    to_many = headers.but_to_many if read else headers.automatic
    if not current or not (theirs or headers.author == _asked(recipient)):
        return replace(headers, automatic=to_many)
    if commands and any(player.program and player.writes_from(headers.author) for player in players):
        return replace(headers, automatic=headers.but_by_program)
    return replace(headers, automatic=headers.declared and to_many)


def _asked(recipient: Recipient) -> str:
    """Who was written to without being a player yet."""
    match recipient:
        case ConfirmRecipient(confirmation=question) | InvitationRecipient(invitation=question):
            return question.address.lower()
    return ""


def _is_of(players: Sequence[Player], sender: str) -> bool:
    return any(player.writes_from(sender) for player in players)
