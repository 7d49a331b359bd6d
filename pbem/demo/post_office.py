"""The players' mail server, which keeps every letter in a folder, and their mail programs."""

from __future__ import annotations

import queue
import smtplib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.utils import timezone

from pbem.network import listening


@dataclass(frozen=True)
class Delivery:
    """A delivered letter."""

    to: str
    raw: bytes
    message: EmailMessage

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        return "" if body is None else str(body.get_content())

    @property
    def pictures(self) -> list[bytes]:
        parts = (part for part in self.message.walk() if part.get_content_type() == "image/png")
        return [bytes(part.get_payload(decode=True)) for part in parts]


class PostOffice:
    """Mailboxes for any address. Each letter is written to `folder` as NNN-who.eml, with its pictures."""

    def __init__(self, listen: str, folder: Path) -> None:
        self._listen = listen
        self._folder = folder
        self._boxes: defaultdict[str, queue.Queue[Delivery]] = defaultdict(queue.Queue)
        self._count = 0

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Opens the server, and deletes the letters of an earlier run. Raises AddressTaken."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for old in (*self._folder.glob("[0-9]*-*.eml"), *self._folder.glob("[0-9]*-*.png")):
            old.unlink()
        with listening("post office of the players", "--post", self._listen) as (host, port):
            controller = Controller(self, hostname=host, port=port, ready_timeout=10)
            controller.start()
        try:
            yield
        finally:
            controller.stop()

    def next_letter(self, address: str, timeout: float) -> Delivery:
        """Returns the oldest unread letter to `address`. Raises TimeoutError."""
        try:
            return self._boxes[address].get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no letter for {address} within {timeout:g} s") from None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd
        raw = bytes(envelope.original_content or b"")
        message = message_from_bytes(raw, policy=policy.default)
        for address in envelope.rcpt_tos:
            self._deliver(Delivery(address, raw, message))
        return "250 delivered"

    def _deliver(self, delivery: Delivery) -> None:
        self._count += 1
        stem = self._folder / f"{self._count:03}-{delivery.to.partition('@')[0]}"
        stem.with_suffix(".eml").write_bytes(delivery.raw)
        for number, png in enumerate(delivery.pictures):
            stem.with_suffix(f".{number}.png" if number else ".png").write_bytes(png)
        self._boxes[delivery.to].put(delivery)


# Messages as mail programs write them, and their delivery to the mail door

TIMEOUT = 60.0  # seconds for one message; locally hundredths, but the machine may be busy


def message(sender: Address, to: str, subject: str, body: str) -> EmailMessage:
    """Returns a new message. Raises ValueError for text that a header cannot hold."""
    written = EmailMessage()
    written["From"] = sender
    written["To"] = to
    written["Subject"] = subject
    written["Date"] = format_datetime(timezone.now())
    written["Message-ID"] = make_msgid(domain=sender.domain or "localhost")
    written.set_content(body)
    return written


def quoted(text: str) -> str:
    """Returns the text as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def answer_to(letter: EmailMessage, reply: EmailMessage) -> EmailMessage:
    """Adds the headers to `reply` that put it into the thread of `letter`."""
    reply["In-Reply-To"] = letter["Message-ID"]
    reply["References"] = f"{letter['References'] or ''} {letter['Message-ID']}".strip()
    return reply


def hand_over(written: EmailMessage, door: tuple[str, int], *, lmtp: bool = False) -> None:
    """Delivers a message to the mail door, like a mail server. Raises OSError, the base of SMTPException."""
    speak = smtplib.LMTP if lmtp else smtplib.SMTP
    with speak(*door, timeout=TIMEOUT) as connection:
        connection.send_message(written)
