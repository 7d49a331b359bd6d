"""Keeps incoming letters in the database, and checks beforehand whether they can be kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from ipaddress import ip_address

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from pbem.inbox.models import OPEN_MAIL, InboundMail
from pbem.inbox.rate_limits.slots import account_of, too_many
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.seen import digest_of, key_of, note
from pbem.mail.parsing.headers import HeaderSummary, summarise
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import LETTER, TooComplex, too_complex
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.sql import insert
from pbem.refusals import Code, Refused


def store_message(
    raw: bytes,
    *,
    sender: str,
    recipient: str,
    now: datetime,
    peer: str = "",
    helo: str = "",
    may_refuse: bool = False,
) -> InboundMail:
    """Stores the letter verbatim and enqueues it. A repeated delivery returns the row of the first.

    `peer` and `helo` are the IP address and HELO of the delivering server for SPF, where known. With
    `may_refuse` raises Refused T04 above the rate limit.
    """
    headers = summarise(raw)
    digest = digest_of(raw, recipient, headers.message_id)
    row = InboundMail(
        digest=digest,
        raw=raw,
        sender=_storable(sender)[:320],
        recipient=recipient[:320],
        peer=_ip_address(peer),
        helo=_storable(helo)[:255],
        message_key=key_of(headers),
        received_at=now,
    )
    with _durable():
        try:
            with transaction.atomic():
                _limit_statement_time()
                _count(row, headers, may_refuse=may_refuse)
                insert([row])
                note(row, headers.message_id)
                failpoint("keeping")
        except IntegrityError:
            row = InboundMail.objects.get(digest=digest)
    failpoint("kept")
    enqueue_on_commit(OPEN_MAIL, row.pk)
    return row


def store_batch(letters: Iterable[bytes], *, recipient: str, now: datetime) -> list[InboundMail]:
    """Keeps letters without a sender in one commit, all or none."""
    with _durable(), transaction.atomic():
        return [store_message(raw, sender="", recipient=recipient, now=now) for raw in letters]


def _count(row: InboundMail, headers: HeaderSummary, *, may_refuse: bool) -> None:
    """Sets the letter's account and queue key from its recipient. Refuses T04."""
    recipient = resolve_recipient(row.recipient, row.received_at)
    account = account_of(recipient, headers, sender=row.sender, peer=row.peer)
    if may_refuse and too_many(account, row.received_at) and not _kept(row.digest):
        raise Refused(Code.RATE_LIMITED)
    row.queue_key = ((recipient and recipient.queue_key) or f"from:{row.sender.lower()}")[:340]
    row.account, row.server = str(account), account.server


def _kept(digest: str) -> bool:
    return InboundMail.objects.filter(digest=digest).exists()


def _storable(sender: str) -> str:
    """Replaces what the database cannot store: invalid Unicode, and NUL on PostgreSQL."""
    return sender.encode("utf-8", "replace").decode().replace("\0", "")


def _ip_address(peer: str) -> str | None:
    """None when `peer` is not an IP address, such as a socket file."""
    try:
        return str(ip_address(peer.partition("%")[0]))  # fe80::1%eth0: drop the zone
    except ValueError:
        return None


def _limit_statement_time() -> None:
    """Limits statements to 5 s on PostgreSQL, to keep within LONGEST_KEEPING. SQLite has its own timeout of
    20 s."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 5000")


@contextmanager
def _durable() -> Iterator[None]:
    """On SQLite, waits until the commit has reached the disk."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    # Other commits of the service may be lost, and redone.
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=FULL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=NORMAL")


# Objections of all transports

MEBIBYTE = 1024 * 1024
_DISK_FULL = ("disk is full", "No space left")  # SQLite, PostgreSQL and the operating system


def objection(raw: bytes) -> str:
    """Returns the code of a transport refusal. Empty when the letter can be kept. Touches no row."""
    if len(raw) > LETTER:
        return Code.TOO_LARGE
    mail = ParsedMail(raw)
    try:
        return Code.TOO_COMPLEX if too_complex(mail.headers) or not mail.parts else ""
    except TooComplex:
        return Code.TOO_COMPLEX


def objection_on_the_wire(raw: bytes) -> str:
    """The same, but also refuses bare CR or LF, as in SMTP and LMTP (RFC 5321, 2.3.8).

    Another server may take a bare CR or LF for the end of the letter (SMTP smuggling).
    """
    bare = not raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n")
    return Code.BAD_LINE_ENDS if bare else objection(raw)


def disk_is_low() -> bool:
    """Whether the disk of VAR has less free space than DISK_RESERVE."""
    settings.VAR.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(settings.VAR).free < settings.DISK_RESERVE * MEBIBYTE


def code_of(trouble: Exception) -> str:
    """Returns the temporary refusal code of an error of ours; the mail server tries again."""
    return Code.DISK_LOW if any(words in str(trouble) for words in _DISK_FULL) else Code.STORAGE_UNAVAILABLE
