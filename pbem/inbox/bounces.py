"""Counts bounces and complaints that come in against the letters that they are about."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import BounceRecipient
from pbem.mail.parsing.bounce import Bounce, Complaint
from pbem.outbox.delivery.bounces import arrived, came_back, count
from pbem.outbox.delivery.status_codes import reply_class_of
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.direct_messages import unsubscribe
from pbem.players.services import complain, do_not_contact, fall_silent
from pbem.players.tokens import LIFETIME_DAYS, Purpose
from pbem.refusals import Code

LATELY = timedelta(days=LIFETIME_DAYS[Purpose.BOUNCE] or 0)


def handle_bounce(row: InboundMail, reading: InterpretedMessage, now: datetime) -> str | None:
    """The verdict of a bounce or a complaint. None for other letters."""
    match reading.report:
        case Complaint() as complaint:
            return _complaint(row, reading, complaint, now)
        case Bounce() as bounce:
            return _bounce(row, reading, bounce, now)
        case None:
            return None


def _complaint(row: InboundMail, reading: InterpretedMessage, complaint: Complaint, now: datetime) -> str:
    if complaint.withdrawn:
        return Code.RECEIPT
    letter = _named(reading, complaint.original_message_id, now)
    if letter:
        row.player = letter.player
        count(letter, Code.COMPLAINT, now=now, reply=complaint.kind, report=row.pk)
        if letter.player:
            silence = fall_silent if complaint.unsubscribes else complain
            unsubscribe(letter.player, partial(silence, letter.player, now=now), now=now)
        else:
            do_not_contact(letter.address, now=now)
    return Code.COMPLAINT


def _bounce(row: InboundMail, reading: InterpretedMessage, bounce: Bounce, now: datetime) -> str | None:
    kind = reading.summary.automatic
    if not (kind == "bounce" or (kind == "loop" and bounce.status) or (kind is None and not row.sender)):
        return Code.BOUNCE if kind is None else None  # an autoreply or a person at the bounce address
    named = _named(reading, bounce.original_message_id, now)
    if bounce.action == "delivered":
        if named:
            arrived(named, now=now)
        return Code.RECEIPT
    letter = named or _lately_to(bounce.recipient, now)
    fate = _fate(bounce)
    if letter and fate:
        row.player = letter.player
        came_back(letter, fate, now=now, reply=bounce.reply, report=row.pk, proved=named is not None)
    return Code.BOUNCE


def _fate(bounce: Bounce) -> str:
    """The code of the failure. Empty when nothing failed. Unknown reasons count as temporary."""
    if not bounce.failed:
        return ""
    fate = reply_class_of(bounce.reply)
    return Code.SOFT if fate == Code.UNKNOWN_REPLY else fate


def _named(reading: InterpretedMessage, message_id: str, now: datetime) -> OutboundMail | None:
    """The letter that has provably bounced. None when it is not known."""
    # Only the reader's servers know the return address and the Message-ID, so a forged bounce has neither.
    if isinstance(reading.recipient, BounceRecipient):
        return reading.recipient.letter
    lately = OutboundMail.objects.filter(created_at__gt=now - LATELY).select_related("player")
    return lately.filter(message_id=message_id).first() if message_id else None


def _lately_to(recipient: str, now: datetime) -> OutboundMail | None:
    """The letter that may have bounced. It is shown to the organiser and not counted."""
    sent = OutboundMail.objects.filter(address=recipient, sent_at__gt=now - LATELY).select_related("player")
    return sent.order_by("pk").last() if recipient else None
