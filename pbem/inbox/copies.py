"""One message that came to several of our addresses: "reply to all" reaches the reply address and `play@`."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK, InboundMail, InboundMailQuerySet
from pbem.inbox.recipient import PlayRecipient, Recipient
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.seen import body_of
from pbem.mail.authentication.policy import Decision

# A relay brings both within seconds; for longer no copy at play@ waits, as that to the reply address may never come.
PATIENCE = timedelta(minutes=2)
_OURS = 10  # addresses in To and Cc that are looked at


def is_copy(row: InboundMail, reading: Reading) -> bool:
    """Whether the message acts, or has acted, through another of our addresses; in the transaction that opens it.

    At `play@` it is enough that the other has arrived, whichever of them is opened first: it will be opened. At the
    reply address what counts is that the other was believed and carried out; our lock waits for the one who is at it.
    Other words are another message: a Message-ID can be known beforehand, and anybody may write it.
    """
    if not row.has_namesakes:
        return False
    others = _others(row)
    if _is_public(reading.recipient):
        return any(
            _is_own_reply(other, reading.glance.author) and _is_heard(other) and _says_the_same(other, row)
            for other in others
        )
    if not (row.message_key and reading.identified and _is_reply(reading.recipient)):
        return False
    public = [other for other in others.select_for_update() if _is_public(_address(other))]
    return any(_is_believed(other) and _says_the_same(other, row) for other in public)


def is_to_come(row: InboundMail, reading: Reading, now: datetime) -> bool:
    """Whether `play@` has a copy of what To or Cc say goes to a reply address of the writer's, and is not there yet."""
    if not (row.message_key and _is_public(reading.recipient)) or now >= row.received_at + PATIENCE:
        return False
    if any(_is_own_reply(other, reading.glance.author) for other in _others(row)):
        return False
    named = [resolve_recipient(address, row.received_at) for address in reading.glance.recipients[:_OURS]]
    return any(_is_reply(each) and _writes(each, reading.glance.author) for each in named)


def _is_heard(other: InboundMail) -> bool:
    """Whether its writer hears of it, or will; with an I code nobody does."""
    return not other.verdict.startswith("I")


def _is_believed(other: InboundMail) -> bool:
    return other.verdict == OK and other.reading.get("decision") == Decision.APPLY.name


def _says_the_same(other: InboundMail, row: InboundMail) -> bool:
    return body_of(bytes(other.raw)) == body_of(bytes(row.raw))


def _others(row: InboundMail) -> InboundMailQuerySet:
    if not row.message_key:
        return InboundMail.objects.none()
    return InboundMail.objects.filter(message_key=row.message_key).exclude(pk=row.pk).order_by("pk")


def _is_own_reply(other: InboundMail, author: str) -> bool:
    """The key says that it has the same author: anyone who holds another's reply address silences nobody."""
    recipient = _address(other)
    return _is_reply(recipient) and _writes(recipient, author)


def _writes(recipient: Recipient | None, author: str) -> bool:
    writers = recipient.possible_writers() if recipient else None
    return any(player.writes_from(author) for player in writers or ())


def _address(row: InboundMail) -> Recipient | None:
    return resolve_recipient(row.recipient, row.received_at)


def _is_public(recipient: Recipient | None) -> bool:
    return isinstance(recipient, PlayRecipient)


def _is_reply(recipient: Recipient | None) -> bool:
    return recipient is not None and recipient.is_reply
