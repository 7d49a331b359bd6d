"""Keeps a letter before anybody reads it: the row is on the disk when this returns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, connection, transaction

from pbem.bells import ring
from pbem.inbox.addressing import resolve
from pbem.inbox.glance import glance
from pbem.inbox.models import InboundMail
from pbem.inbox.tasks import open_mail
from pbem.moments import reach


def keep(raw: bytes, *, sender: str, recipient: str, now: datetime) -> InboundMail:
    """Store the letter verbatim, once: a repeated delivery gives the row of the first. Then ring."""
    sender = _storable(sender)
    digest = _digest(raw, recipient)
    addressed = resolve(recipient, now)
    lane = (addressed and addressed.lane) or f"from:{sender.lower()}"
    with _durable():
        try:
            with transaction.atomic():
                row = InboundMail.objects.create(
                    digest=digest,
                    raw=raw,
                    sender=sender[:320],
                    recipient=recipient[:320],
                    lane=lane[:340],
                    received_at=now,
                )
        except IntegrityError:
            row = InboundMail.objects.get(digest=digest)
    reach("kept")
    ring(open_mail, row.pk)
    return row


def _storable(sender: str) -> str:
    """Anybody may write any octets there, but text in a database is Unicode, and on PostgreSQL without NUL."""
    return sender.encode("utf-8", "replace").decode().replace("\0", "")


def _digest(raw: bytes, recipient: str) -> str:
    """Of recipient, Message-ID and body: a relay that repeats itself changes the other headers."""
    message_id = glance(raw).message_id
    body = raw.partition(b"\r\n\r\n")[2] or raw.partition(b"\n\n")[2]
    told = (
        [recipient.lower().encode(), message_id.encode(), body] if message_id else [recipient.encode(), raw]
    )
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in told)).hexdigest()


@contextmanager
def _durable() -> Iterator[None]:
    """On SQLite: until the commit reaches the disk (elsewhere in the service the last commits may be redone)."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=FULL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=NORMAL")
