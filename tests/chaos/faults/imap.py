"""Some letters are delivered to a mailbox elsewhere, a real Dovecot's, out of which the service fetches them."""

from __future__ import annotations

import re
import smtplib
import sys

from tests.chaos.faults.scene import Scene
from tests.chaos.relay import TIMEOUT, Submission, Way, break_at, note
from tests.journeys.dovecot import Dovecot, reason_not_to_run, running

SHARE = 0.3
FETCH = [sys.executable, "manage.py", "fetch_mail"]
_LOCAL = re.compile(r"[a-z]\+|play@")


def fetch_by_imap(scene: Scene) -> None:
    if reason := reason_not_to_run():
        scene.say(f"no letters by IMAP: {reason}")
        return
    dovecot = scene.stack.enter_context(running())
    scene.house.settings |= {"IMAP_URL": dovecot.url, "IMAP_SECONDS": "5"}
    scene.house.add("mailbox", FETCH)
    scene.relay.ways.append(Way("IMAP", SHARE, _may, lambda letter: _deliver(dovecot, letter)))
    scene.quiet.append(lambda: not dovecot.has())


def _may(letter: Submission) -> bool:
    """That server refuses nobody, and adds headers: what is known by its octets alone would be another letter."""
    return letter.what != "guessed" and bool(letter.message_id)


def _deliver(dovecot: Dovecot, letter: Submission) -> None:
    """One attempt. The header says whom it is for, as that of a server does that has one mailbox for all."""
    raw = f"X-Original-To: {letter.to}\r\n".encode() + letter.raw
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp, timeout=TIMEOUT) as client:
        client.ehlo()
        client.mail(letter.sender)
        client.rcpt(dovecot.user)
        break_at("RCPT", letter)
        break_at("DATA", letter)
        code, reply = client.data(raw)
        break_at(".", letter)
        if code == 250:
            letter.heard_yes()
        else:
            note(letter, 450, reply)
