"""Messages as mail programs write them, and the way to the mail door."""

from __future__ import annotations

import smtplib
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.utils import timezone

PATIENCE = 60.0  # seconds for one message; a local one takes hundredths, but the machine may be busy


def message(sender: Address, to: str, subject: str, body: str) -> EmailMessage:
    """A new one. ValueError for what no header can hold."""
    written = EmailMessage()
    written["From"] = sender
    written["To"] = to
    written["Subject"] = subject
    written["Date"] = format_datetime(timezone.now())
    written["Message-ID"] = make_msgid(domain=sender.domain or "localhost")
    written.set_content(body)
    return written


def quoted(text: str) -> str:
    """With the mark before each line."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def answer_to(letter: EmailMessage, reply: EmailMessage) -> EmailMessage:
    """`reply` with the headers that put it into the thread of `letter`."""
    reply["In-Reply-To"] = letter["Message-ID"]
    reply["References"] = f"{letter['References'] or ''} {letter['Message-ID']}".strip()
    return reply


def hand_over(written: EmailMessage, door: tuple[str, int], *, lmtp: bool = False) -> None:
    """To the mail door, as a mail server would. Raises OSError, which SMTPException is one of."""
    speak = smtplib.LMTP if lmtp else smtplib.SMTP
    with speak(*door, timeout=PATIENCE) as connection:
        connection.send_message(written)
