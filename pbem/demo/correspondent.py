"""A scripted player with a mailbox: reads letters as people do, and answers them as mail programs do."""

from __future__ import annotations

import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.utils import timezone

from pbem.demo.post_office import Delivery, PostOffice

PATIENCE = 60.0  # seconds for one letter; a local one takes hundredths, but the machine may be busy


@dataclass
class Correspondent:
    """`door` is where the service takes mail, as (host, port)."""

    name: str
    address: str
    wrote: str  # what this player's mail program puts above a quote, as a format of the date
    post: PostOffice
    door: tuple[str, int]
    sent: int = field(default=0)

    def write(self, to: str, body: str, subject: str = "") -> None:
        """A new letter."""
        self._send(self._letter(to, subject, body))

    def answer(self, letter: Delivery, body: str) -> None:
        """A reply above the quoted letter, to where the letter asks for it."""
        quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
        reply = self._letter(
            str(letter.message["Reply-To"]),
            f"Re: {letter.message['Subject']}",
            f"{body}\n\n{timezone.localtime():{self.wrote}}\n{quoted}\n",
        )
        reply["In-Reply-To"] = letter.message["Message-ID"]
        reply["References"] = f"{letter.message['References'] or ''} {letter.message['Message-ID']}".strip()
        self._send(reply)

    def read(self) -> Delivery:
        """The next letter in the mailbox."""
        return self.post.next_letter(self.address, PATIENCE)

    def _letter(self, to: str, subject: str, body: str) -> EmailMessage:
        letter = EmailMessage()
        letter["From"] = f"{self.name} <{self.address}>"
        letter["To"] = to
        letter["Subject"] = subject
        letter["Date"] = format_datetime(timezone.now())
        letter["Message-ID"] = make_msgid(domain=self.address.partition("@")[2])
        letter.set_content(body)
        return letter

    def _send(self, letter: EmailMessage) -> None:
        with smtplib.SMTP(*self.door, timeout=PATIENCE) as smtp:
            smtp.send_message(letter)
        self.sent += 1
