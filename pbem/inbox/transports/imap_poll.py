"""Watches an IMAP mailbox: empties it whenever letters come, and connects again after every trouble."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone
from imap_tools import BaseMailBox

from pbem.imap_url import Account
from pbem.inbox.transports.heartbeat import Heart
from pbem.inbox.transports.imap_fetch import TROUBLE, empty
from pbem.inbox.transports.imap_login import signed_in
from pbem.matches.models import Component
from pbem.parts import Parts

log = logging.getLogger(__name__)
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
