"""Empties an IMAP mailbox: each letter is kept first, and then moved to a folder whose name says what became of it."""

from __future__ import annotations

import logging
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from imaplib import IMAP4, Internaldate2tuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone
from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxStartTls, MailBoxUnencrypted

from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.heartbeat import Heart
from pbem.inbox.transports.store import disk_is_low, keep, objection
from pbem.mail.parsing.headers import envelope_sender, glance
from pbem.mail.parsing.parts import LETTER
from pbem.matches.models import Component
from pbem.network import Account
from pbem.parts import Parts
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


# Signs in at an IMAP mailbox, and leaves it whatever happens.

PATIENCE = 60.0  # seconds for an answer of the mail server


@contextmanager
def signed_in(account: Account, context: ssl.SSLContext | None = None) -> Iterator[BaseMailBox]:
    """The mailbox with its folder selected. Raises OSError, IMAP4.error or ImapToolsError."""
    context = context or ssl.create_default_context()
    mailbox: BaseMailBox
    match account.scheme:
        case "imaps":
            mailbox = MailBox(account.host, account.port, timeout=PATIENCE, ssl_context=context)
        case "imap+starttls":
            mailbox = MailBoxStartTls(account.host, account.port, timeout=PATIENCE, ssl_context=context)
        case _:
            mailbox = MailBoxUnencrypted(account.host, account.port, timeout=PATIENCE)
    try:
        readable = account.user.isascii() and account.password.isascii()
        sign_in = mailbox.login if readable else mailbox.login_utf8
        sign_in(account.user, account.password, initial_folder=account.folder)
        _, told = mailbox.client.capability()  # more than before the sign-in, which is all that imaplib asks
        mailbox.client.capabilities = tuple(told[-1].decode("ascii", "replace").upper().split())
        yield mailbox
        mailbox.logout()
    finally:
        with suppress(OSError, IMAP4.error):
            mailbox.client.shutdown()


# Watches an IMAP mailbox: empties it whenever letters come, and connects again after every trouble.

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # seconds before the next attempt; doubled each time
LONGEST_IDLE = 28 * 60.0  # seconds; servers end an IDLE of half an hour (RFC 2177)
GLANCE = 1.0  # seconds between two looks at whether to end


def watch(account: Account, stop: threading.Event) -> None:
    """Until `stop` is set."""
    heart, pause = Heart(Component.MAILBOX), FIRST_PAUSE
    while not stop.is_set():
        try:
            with signed_in(account) as mailbox:
                while not stop.is_set():
                    look_once(mailbox, account, heart, stop)
                    pause = FIRST_PAUSE
                    _wait_for_news(mailbox, stop)
        except Exception as trouble:
            known = isinstance(trouble, (*TROUBLE, DatabaseError))
            log.log(
                logging.WARNING if known else logging.ERROR,
                "mailbox of %s: %s; next attempt in %g s",
                account,
                trouble,
                pause,
                exc_info=not known,  # a fault of ours, or a server that says what nobody foresaw
            )
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def look_once(mailbox: BaseMailBox, account: Account, heart: Heart, stop: threading.Event) -> int:
    """How many letters were left behind. A sign of life: what arrived before now is kept, or was put aside.

    A letter that our own fault keeps us from taking stays, and does not stop the clocks for everybody.
    """
    began = timezone.now()
    close_old_connections()
    try:
        left = empty(mailbox, account.user, clock=timezone.now, stop=stop)
        if not stop.is_set():
            heart.beat(began)
    finally:
        close_old_connections()
    return left


@contextmanager
def watching(url: str) -> Iterator[Parts]:
    """The mailbox is watched inside the block, in a thread of its own; "" is no mailbox."""
    if not url:
        yield ()
        return
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=(Account.parse(url), stop), name="mailbox", daemon=True)
    thread.start()
    try:
        yield (thread,)
    finally:
        stop.set()
        thread.join(timeout=10)


def _wait_for_news(mailbox: BaseMailBox, stop: threading.Event) -> None:
    """IMAP_SECONDS, or until the server tells of a letter (IDLE), if it can.

    A letter that comes just before IDLE begins is not told of: that is why nobody idles for longer.
    """
    end = time.monotonic() + min(settings.IMAP_SECONDS, LONGEST_IDLE)
    if "IDLE" not in mailbox.client.capabilities:
        stop.wait(min(settings.IMAP_SECONDS, LONGEST_IDLE))
        return
    mailbox.idle.start()  # type: ignore[no-untyped-call]
    news: list[bytes] = []
    while not (news or stop.is_set()) and (rest := end - time.monotonic()) > 0:
        began = time.monotonic()
        news = mailbox.idle.poll(min(GLANCE, rest))
        if not news and time.monotonic() - began < min(GLANCE, rest) / 2:
            break  # the server has hung up; stop() raises
    mailbox.idle.stop()  # type: ignore[no-untyped-call]
