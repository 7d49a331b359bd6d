"""Mail servers for tests that do not deliver: what they send back to where a letter says its bounces go."""

from __future__ import annotations

from itertools import count

from pbem.inbox.models import InboundMail
from tests.mail_fixtures import Delivery, Post

NO_SUCH_USER = "550 5.1.1 User unknown"
MAILBOX_FULL = "552 5.2.2 Mailbox full"
BLOCKED = "554 5.7.1 Service unavailable; client host blocked using a blocklist"
LATE = "451 4.4.1 Connection timed out"


_numbers = count(1)


def bounce(letter: Delivery, reply: str = NO_SUCH_USER, action: str = "failed", copy: bool = True) -> bytes:
    """A report by the book (RFC 3464) about `letter`; with a `copy` of its headers. No two are the same."""
    status = reply.split()[1]
    copied = f"Message-ID: {letter.message['Message-ID']}\nTo: {letter.to}\n" if copy else ""
    return f"""\
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: {letter.envelope_sender}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{next(_numbers)}@mx.example.net>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

Your letter could not be delivered.

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; {letter.to}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {reply}

--x
Content-Type: text/rfc822-headers

{copied}
--x--
""".encode()


def complaint_of_microsoft(letter: Delivery, *, outside: str = "") -> bytes:
    """What Outlook.com sends to anyone who takes part in its programme: no report, and made by no machine, it seems."""
    copied = letter.raw.replace(b"\r\n", b"\n")
    return (
        f"""\
From: "Junk reports" <staff@hotmail.example>
To: play@pbem.localhost
Subject: complaint about message from 192.0.2.25
Date: Mon, 4 May 2026 09:00:00 -0700
Message-ID: <jmr.{next(_numbers)}@hotmail.example>
{outside}MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="junk"

--junk
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: {letter.to}
""".encode()
        + copied
        + b"\n--junk--\n"
    )


def complaint(letter: Delivery, kind: str = "abuse") -> bytes:
    """A report of a provider whose user called `letter` spam (RFC 5965)."""
    return f"""\
From: staff@example.net
To: {letter.envelope_sender}
Subject: complaint
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="x"

--x
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Example/1
Version: 1

--x
Content-Type: message/rfc822

Message-ID: {letter.message["Message-ID"]}

Hello
--x--
""".encode()


def comes_back(
    post: Post, letter: Delivery, reply: str = NO_SUCH_USER, action: str = "failed"
) -> InboundMail:
    """The bounce arrives, where the letter says, from nobody."""
    return post.deliver(bounce(letter, reply, action), letter.envelope_sender, "")
