"""Records Message-IDs, so that a replayed letter is not taken for a new one."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from pbem.inbox.models import InboundMail, SeenMessage
from pbem.mail.parsing.headers import HeaderSummary
from pbem.queue.sql import insert

KEPT = timedelta(days=7)  # longer than a Date is accepted before and after arrival
FORGOTTEN = 500


def digest_of(raw: bytes, recipient: str, message_id: str) -> str:
    """The hash of recipient, Message-ID and body, without other headers, line ends and trailing blank lines.

    A repeated delivery may differ in those.
    """
    named = [recipient.lower().encode(), message_id.encode()]
    told = [*named, body_of(raw)] if message_id else [recipient.encode(), raw]
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in told)).hexdigest()


def body_of(raw: bytes) -> bytes:
    body = raw.partition(b"\r\n\r\n")[2] or raw.partition(b"\n\n")[2]
    return body.replace(b"\r\n", b"\n").rstrip(b"\n")


def note(row: InboundMail, message_id: str) -> None:
    """Records the Message-ID. The first letter with it stays the first."""
    if message_id:
        seen = SeenMessage(digest=_hidden(message_id), letter=row.pk, seen_at=row.received_at)
        insert([seen], ignore_conflicts=True)


def first_with(message_id: str) -> int | None:
    """The number of the first letter with this Message-ID. None when there is none."""
    found = SeenMessage.objects.filter(digest=_hidden(message_id)).values_list("letter", flat=True)
    return found.first() if message_id else None


def forget_old(*, now: datetime) -> int:
    """Deletes rows older than KEPT, oldest first, at most FORGOTTEN at a time; returns how many."""
    oldest = SeenMessage.objects.order_by("pk").values_list("pk", "seen_at")[:FORGOTTEN]
    over = [pk for pk, seen_at in oldest if seen_at < now - KEPT]
    return SeenMessage.objects.filter(pk__in=over).delete()[0] if over else 0


def key_of(seen: HeaderSummary) -> str:
    """A key of Message-ID and author that copies share. Empty when either is missing."""
    if not (seen.message_id and seen.author):
        return ""
    return hashlib.sha256(f"{seen.message_id} {seen.author}".encode()).hexdigest()


def _hidden(message_id: str) -> str:
    return hashlib.sha256(message_id.encode("utf-8", "replace")).hexdigest()
