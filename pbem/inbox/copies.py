"""Recognises copies of one letter at several of our addresses, as after "reply to all"."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, InboundMail, InboundMailQuerySet
from pbem.inbox.recipient import PlayRecipient, Recipient
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.seen import body_of
from pbem.mail.authentication.policy import Decision

# A copy at play@ waits for the other, which a relay brings within seconds, but no longer than this.
TIMEOUT = timedelta(minutes=2)
_OURS = 10  # addresses checked in To and Cc


def is_copy(row: InboundMail, reading: InterpretedMessage) -> bool:
    """Whether the letter acts through another of our addresses. Call it in the opening transaction.

    At `play@` the other copy need only have arrived; at the reply address it has to be believed and carried
    out.
    """
    if not row.has_namesakes:
        return False
    others = _others(row)
    if _is_public(reading.recipient):
        return any(
            # The body must be equal too, since a Message-ID can be known beforehand and forged.
            _is_own_reply(other, reading.summary.author) and _is_heard(other) and _says_the_same(other, row)
            for other in others
        )
    if not (row.message_key and reading.identified and _is_reply(reading.recipient)):
        return False
    public = [other for other in others.select_for_update() if _is_public(_address(other))]
    return any(_is_believed(other) and _says_the_same(other, row) for other in public)


def is_to_come(row: InboundMail, reading: InterpretedMessage, now: datetime) -> bool:
    """Whether a copy at `play@` should wait for the one that To or Cc send to the sender's reply address."""
    if not (row.message_key and _is_public(reading.recipient)) or now >= row.received_at + TIMEOUT:
        return False
    if any(_is_own_reply(other, reading.summary.author) for other in _others(row)):
        return False
    named = [resolve_recipient(address, row.received_at) for address in reading.summary.recipients[:_OURS]]
    return any(_is_reply(each) and _writes(each, reading.summary.author) for each in named)


def _is_heard(other: InboundMail) -> bool:
    """Whether the other letter is answered; it is not with an I code."""
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
    """Whether it went to the author's own reply address; those of others do not count."""
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
