"""Empties an IMAP mailbox: each letter is kept first, and then moved to a folder whose name says what became of it."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from imaplib import IMAP4, Internaldate2tuple

from django.conf import settings
from django.db import DatabaseError
from imap_tools import BaseMailBox, ImapToolsError

from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.acceptance import disk_is_low, objection
from pbem.inbox.transports.store import keep
from pbem.mail.parsing.headers import envelope_sender, glance
from pbem.mail.parsing.limits import LETTER
from pbem.players.tokens import PLAY
from pbem.queue.failpoints import failpoint
from pbem.refusals import REFUSALS, Code

log = logging.getLogger(__name__)
TROUBLE = (OSError, IMAP4.error, ImapToolsError)  # of the mailbox: connect again
KEPT, UNKNOWN, REFUSED = "PBeM-kept", "PBeM-unknown", "PBeM-refused"
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_PREFIX = re.compile(rb'\(\("([^"]*)"')  # of the personal namespace (RFC 2342)


class FullDisk(OSError):
    """Letters stay in the mailbox for now."""


def empty(mailbox: BaseMailBox, user: str, *, clock: Callable[[], datetime], stop: threading.Event) -> int:
    """Take what is in the selected folder, one letter in memory at a time; how many were left for the next time.

    No UID is remembered between two calls, so that UIDVALIDITY may change: what is in the folder is not done with.
    """
    if disk_is_low():
        raise FullDisk(REFUSALS[Code.DISK_LOW].sentence)
    left = 0
    for uid in mailbox.uids("ALL", charset=None):
        if stop.is_set():
            return left + 1
        try:
            folder = _taken(mailbox, uid, user, clock())
        except (*TROUBLE, DatabaseError):
            raise
        except Exception:
            log.exception("T05: letter %s stays in the mailbox", uid)
            left += 1
            continue
        if folder:
            failpoint("moving")
            _move(mailbox, uid, folder)
    return left


def recipient_of(raw: bytes, user: str, now: datetime) -> str:
    """The address of ours that the letter came to, "" when there is none.

    The server that delivered it wrote it into a header, or it is in To or Cc. A sealed address says more than
    play@, which may be the mailbox that all the others are delivered to.
    """
    named = glance(raw).recipients
    ours = [address for address in named if resolve_recipient(address, now) is not None]
    play = f"{PLAY}@{settings.MAIL_DOMAIN}"
    if not ours and user.lower() == play and not any(_in_our_domain(address) for address in named):
        return play  # a blind copy, to the mailbox whose address this is
    return next((address for address in ours if address != play), ours[0] if ours else "")


def arrival(answer: bytes, now: datetime) -> datetime:
    """When the mail server took the letter (INTERNALDATE): that it waited for us costs its writer no time."""
    told = Internaldate2tuple(answer)
    return min(now, datetime.fromtimestamp(time.mktime(told), UTC)) if told else now


def _taken(mailbox: BaseMailBox, uid: str, user: str, now: datetime) -> str:
    """Keep the letter; the folder that it belongs into, "" when it has gone in the meantime."""
    lines = (line for line in _fetched(mailbox, uid, "(RFC822.SIZE INTERNALDATE)") if isinstance(line, bytes))
    answer = next((line for line in lines if _SIZE.search(line)), b"")
    size = _SIZE.search(answer)
    if size is None:
        return ""
    if int(size[1]) > LETTER:
        return _put_aside(uid, Code.TOO_LARGE)
    octets = _fetched(mailbox, uid, "(BODY.PEEK[])")  # PEEK: \Seen would be set before we have it
    if not octets:
        return ""
    raw = next((line[1] for line in octets if isinstance(line, tuple)), b"")
    if code := objection(raw):
        return _put_aside(uid, code)
    recipient = recipient_of(raw, user, now)
    if not recipient:
        log.warning("T01: letter %s names no address of ours; it is in %s", uid, UNKNOWN)
        return UNKNOWN
    keep(raw, sender=envelope_sender(raw), recipient=recipient, now=arrival(answer, now))
    return KEPT


def _put_aside(uid: str, code: str) -> str:
    log.warning("%s: letter %s is not taken: %s. It is in %s", code, uid, REFUSALS[code].sentence, REFUSED)
    return REFUSED


def _fetched(mailbox: BaseMailBox, uid: str, what: str) -> list[bytes | tuple[bytes, bytes]]:
    """The lines of the answer, with literals; none for a letter that has gone. News of others may be among them."""
    status, data = mailbox.client.uid("FETCH", uid, what)
    if status != "OK":
        raise IMAP4.error(f"FETCH {what}: {status} {data!r}")
    return [line for line in data if line is not None]


def _in_our_domain(address: str) -> bool:
    return address.rpartition("@")[2] == settings.MAIL_DOMAIN


def _move(mailbox: BaseMailBox, uid: str, folder: str) -> None:
    """Into the folder, which is made when it is first needed."""
    path = _prefix(mailbox) + folder
    if not mailbox.folder.exists(path):
        mailbox.folder.create(path)
    mailbox.move(uid, path)


def _prefix(mailbox: BaseMailBox) -> str:
    """Some servers want all folders below INBOX."""
    if "NAMESPACE" not in mailbox.client.capabilities:
        return ""
    _, data = mailbox.client.namespace()
    found = _PREFIX.match(data[0] or b"")
    return found[1].decode() if found else ""
