"""Watches an IMAP mailbox, keeps its letters and moves each to a folder named after the result."""

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
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.inbox.transports.store import disk_is_low, objection, store_message
from pbem.mail.parsing.headers import envelope_sender, summarise
from pbem.mail.parsing.parts import LETTER
from pbem.matches.models import Component
from pbem.network import Account
from pbem.parts import Parts
from pbem.players.tokens import PLAY
from pbem.queue.failpoints import failpoint
from pbem.refusals import REFUSALS, Code

log = logging.getLogger(__name__)
TROUBLE = (OSError, IMAP4.error, ImapToolsError)  # of the mailbox; connect again
KEPT, UNKNOWN, REFUSED = "PBeM-kept", "PBeM-unknown", "PBeM-refused"
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_PREFIX = re.compile(rb'\(\("([^"]*)"')  # of the personal namespace (RFC 2342)


class FullDisk(OSError):
    """The disk is low; letters stay in the mailbox."""


def fetch_all(
    mailbox: BaseMailBox, user: str, *, clock: Callable[[], datetime], stop: threading.Event
) -> int:
    """Keeps the letters of the selected folder, one at a time in memory; returns how many were left. Raises
    FullDisk.

    No UID is stored, so that UIDVALIDITY may change.
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
    """Returns our address that the letter was sent to. Empty when there is none.

    Prefers a sealed address to play@, which may be the mailbox for all addresses.
    """
    named = summarise(raw).recipients
    ours = [address for address in named if resolve_recipient(address, now) is not None]
    play = f"{PLAY}@{settings.MAIL_DOMAIN}"
    if not ours and user.lower() == play and not any(_in_our_domain(address) for address in named):
        return play  # a blind copy to the mailbox of play@
    return next((address for address in ours if address != play), ours[0] if ours else "")


def arrival(answer: bytes, now: datetime) -> datetime:
    """When the mail server received the letter (INTERNALDATE), at most `now`."""
    told = Internaldate2tuple(answer)
    return min(now, datetime.fromtimestamp(time.mktime(told), UTC)) if told else now


def _taken(mailbox: BaseMailBox, uid: str, user: str, now: datetime) -> str:
    """Keeps the letter and returns its target folder. Empty when the letter has gone."""
    lines = (line for line in _fetched(mailbox, uid, "(RFC822.SIZE INTERNALDATE)") if isinstance(line, bytes))
    answer = next((line for line in lines if _SIZE.search(line)), b"")
    size = _SIZE.search(answer)
    if size is None:
        return ""
    if int(size[1]) > LETTER:
        return _put_aside(uid, Code.TOO_LARGE)
    octets = _fetched(mailbox, uid, "(BODY.PEEK[])")  # PEEK does not set \Seen
    if not octets:
        return ""
    raw = next((line[1] for line in octets if isinstance(line, tuple)), b"")
    if code := objection(raw):
        return _put_aside(uid, code)
    recipient = recipient_of(raw, user, now)
    if not recipient:
        log.warning("T01: letter %s names no address of ours; it is in %s", uid, UNKNOWN)
        return UNKNOWN
    store_message(raw, sender=envelope_sender(raw), recipient=recipient, now=arrival(answer, now))
    return KEPT


def _put_aside(uid: str, code: str) -> str:
    log.warning("%s: letter %s is not taken: %s. It is in %s", code, uid, REFUSALS[code].sentence, REFUSED)
    return REFUSED


def _fetched(mailbox: BaseMailBox, uid: str, what: str) -> list[bytes | tuple[bytes, bytes]]:
    """Returns the response lines with literals. Unsolicited responses may be among them."""
    status, data = mailbox.client.uid("FETCH", uid, what)
    if status != "OK":
        raise IMAP4.error(f"FETCH {what}: {status} {data!r}")
    return [line for line in data if line is not None]


def _in_our_domain(address: str) -> bool:
    return address.rpartition("@")[2] == settings.MAIL_DOMAIN


def _move(mailbox: BaseMailBox, uid: str, folder: str) -> None:
    """Moves the letter, and creates the folder when it does not exist."""
    path = _prefix(mailbox) + folder
    if not mailbox.folder.exists(path):
        mailbox.folder.create(path)
    mailbox.move(uid, path)


def _prefix(mailbox: BaseMailBox) -> str:
    """The prefix of the personal namespace; some servers want all folders below INBOX."""
    if "NAMESPACE" not in mailbox.client.capabilities:
        return ""
    _, data = mailbox.client.namespace()
    found = _PREFIX.match(data[0] or b"")
    return found[1].decode() if found else ""


# Sign-in

TIMEOUT = 60.0  # seconds for a response of the mail server


@contextmanager
def signed_in(account: Account, context: ssl.SSLContext | None = None) -> Iterator[BaseMailBox]:
    """Yields the mailbox with its folder selected. Raises OSError, IMAP4.error or ImapToolsError."""
    context = context or ssl.create_default_context()
    mailbox: BaseMailBox
    match account.scheme:
        case "imaps":
            mailbox = MailBox(account.host, account.port, timeout=TIMEOUT, ssl_context=context)
        case "imap+starttls":
            mailbox = MailBoxStartTls(account.host, account.port, timeout=TIMEOUT, ssl_context=context)
        case _:
            mailbox = MailBoxUnencrypted(account.host, account.port, timeout=TIMEOUT)
    try:
        readable = account.user.isascii() and account.password.isascii()
        sign_in = mailbox.login if readable else mailbox.login_utf8
        sign_in(account.user, account.password, initial_folder=account.folder)
        _, told = mailbox.client.capability()  # imaplib asks too early, before the sign-in
        mailbox.client.capabilities = tuple(told[-1].decode("ascii", "replace").upper().split())
        yield mailbox
        mailbox.logout()
    finally:
        with suppress(OSError, IMAP4.error):
            mailbox.client.shutdown()


# Watching

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # seconds before the next attempt, doubled each time
LONGEST_IDLE = 28 * 60.0  # seconds; servers end an IDLE after half an hour (RFC 2177)
GLANCE = 1.0  # seconds between two checks of `stop`


def watch(account: Account, stop: threading.Event) -> None:
    """Empties the mailbox when letters arrive, and reconnects after errors, until `stop` is set."""
    heart, pause = HeartbeatThread(Component.MAILBOX), FIRST_PAUSE
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
                exc_info=not known,  # a bug, or an unexpected response
            )
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def look_once(mailbox: BaseMailBox, account: Account, heart: HeartbeatThread, stop: threading.Event) -> int:
    """Empties the mailbox and beats; returns how many letters were left behind.

    A letter that fails by our own error stays, without stopping the clocks.
    """
    began = timezone.now()
    close_old_connections()
    try:
        left = fetch_all(mailbox, account.user, clock=timezone.now, stop=stop)
        if not stop.is_set():
            heart.beat(began)
    finally:
        close_old_connections()
    return left


@contextmanager
def watching(url: str) -> Iterator[Parts]:
    """Watches the mailbox in a thread while the block runs. No mailbox when `url` is empty."""
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
    """Waits for IMAP_SECONDS, or until the server announces a letter (IDLE).

    A letter that arrives just before IDLE is not announced, so the wait is bounded.
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
            break  # the server has closed the connection; stop() raises
    mailbox.idle.stop()  # type: ignore[no-untyped-call]
