"""What comes back of our letters: which letter it was, and what follows for the address."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from pbem.inbox.interpretation import Reading
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import BounceRecipient
from pbem.mail.parsing.bounce import Bounce
from pbem.mail.parsing.complaint import Complaint
from pbem.outbox.delivery.bounces import arrived, came_back, count
from pbem.outbox.delivery.status_codes import fate_of
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.unsubscribe import unsubscribe
from pbem.players.services import complain, fall_silent, leave_in_peace
from pbem.players.tokens import LIFETIME_DAYS, Purpose
from pbem.refusals import Code

LATELY = timedelta(days=LIFETIME_DAYS[Purpose.BOUNCE] or 0)


def take_back(row: InboundMail, reading: Reading, now: datetime) -> str | None:
    """The verdict of a bounce or a complaint; None where the letter is something else."""
    match reading.report:
        case Complaint() as complaint:
            return _complaint(row, reading, complaint, now)
        case Bounce() as bounce:
            return _bounce(row, reading, bounce, now)
        case None:
            return None


def _complaint(row: InboundMail, reading: Reading, complaint: Complaint, now: datetime) -> str:
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
            leave_in_peace(letter.address, now=now)
    return Code.COMPLAINT


def _bounce(row: InboundMail, reading: Reading, bounce: Bounce, now: datetime) -> str | None:
    kind = reading.glance.automatic
    if not (kind == "bounce" or (kind == "loop" and bounce.status) or (kind is None and not row.sender)):
        return (
            Code.BOUNCE if kind is None else None
        )  # an automatic answer, or a person, at the address for bounces
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
    """Empty where nothing failed. Anyone who sends a letter back and does not say why may take it tomorrow."""
    if not bounce.failed:
        return ""
    fate = fate_of(bounce.reply)
    return Code.SOFT if fate == Code.UNKNOWN_REPLY else fate


def _named(reading: Reading, message_id: str, now: datetime) -> OutboundMail | None:
    """The letter that is proved to have come back.

    Only its reader's servers know its return address and its Message-ID: anyone who would silence a player by
    forged bounces knows neither.
    """
    if isinstance(reading.recipient, BounceRecipient):
        return reading.recipient.letter
    lately = OutboundMail.objects.filter(created_at__gt=now - LATELY).select_related("player")
    return lately.filter(message_id=message_id).first() if message_id else None


def _lately_to(recipient: str, now: datetime) -> OutboundMail | None:
    """The letter that it may have been: shown to the organiser, counted against nobody."""
    sent = OutboundMail.objects.filter(address=recipient, sent_at__gt=now - LATELY).select_related("player")
    return sent.order_by("pk").last() if recipient else None
