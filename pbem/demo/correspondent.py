"""A scripted player with a mailbox: reads letters as people do, and answers them as mail programs do."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage

from django.utils import timezone

from pbem.demo.mail_client import PATIENCE, answer_to, hand_over, message, quoted
from pbem.demo.post_office import Delivery, PostOffice


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
        reply = self._letter(
            str(letter.message["Reply-To"]),
            f"Re: {letter.message['Subject']}",
            f"{body}\n\n{timezone.localtime():{self.wrote}}\n{quoted(letter.text)}\n",
        )
        self._send(answer_to(letter.message, reply))

    def read(self) -> Delivery:
        """The next letter in the mailbox."""
        return self.post.next_letter(self.address, PATIENCE)

    def _letter(self, to: str, subject: str, body: str) -> EmailMessage:
        return message(Address(self.name, addr_spec=self.address), to, subject, body)

    def _send(self, letter: EmailMessage) -> None:
        hand_over(letter, self.door)
        self.sent += 1
