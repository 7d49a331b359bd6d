"""Sends letters through the relay or to a folder, as EMAIL_URL says; also Django's own mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from pbem.outbox.delivery.smtp import DeliveryError, SmtpSender, Tls


class Sender(Protocol):
    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        """Hands over a letter and returns the relay's reply. Raises a NotTaken of
        `pbem.outbox.delivery.smtp`."""
        ...


class FileSender:
    """Writes each letter to `folder` as .eml. The same letter keeps its file name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{recipient}-{sha256(raw).hexdigest()[:16]}.eml"
        path.write_bytes(raw)
        return f"250 written to {path.name}"


@cache
def default_sender() -> Sender:
    """Returns the sender for EMAIL_URL. Call `cache_clear()` when a test changes the setting."""
    return sender_for(settings.EMAIL_URL)


def sender_for(url: str) -> Sender:
    """Returns a sender for smtp://, smtp+starttls:// or smtps:// with USER:PASSWORD@HOST:PORT, or
    file:///FOLDER.

    An IPv6 address stands in brackets: smtp://[::1]:25. Raises ValueError for other URLs.
    """
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path.startswith("/"):
        return FileSender(Path(unquote(parts.path)))
    if parts.scheme in _RELAYS and parts.hostname:
        tls, port = _RELAYS[parts.scheme]
        return SmtpSender(
            parts.hostname,
            parts.port or port,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            tls=tls,
            certificates=settings.EMAIL_CERTIFICATES,
            name=settings.MAIL_DOMAIN,
            patience=settings.LEASE_SECONDS * 0.9,  # shorter than the lease
        )
    raise ValueError(f"{url!r} is neither smtp://HOST:PORT nor file:///FOLDER")


_RELAYS = {"smtp": (Tls.NONE, 25), "smtp+starttls": (Tls.STARTTLS, 587), "smtps": (Tls.FROM_THE_START, 465)}


# Django's EMAIL_BACKEND, for mail to the staff

TIMEOUT = 20.0  # seconds: a web request waits
_LINE_END = re.compile(rb"\r?\n")
NOBODY = ""  # the envelope sender: bounces are not read


class Backend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Returns the number of messages taken. Raises a NotTaken unless `fail_silently`."""
        taken = 0
        for message in email_messages:
            try:
                self._send(message)
            except DeliveryError:
                if not self.fail_silently:
                    raise
                continue
            taken += 1
        return taken

    @staticmethod
    def _send(message: EmailMessage) -> None:
        sender = sender_for(settings.EMAIL_URL)
        if isinstance(sender, SmtpSender):
            sender.patience = TIMEOUT
        try:
            message.extra_headers.setdefault("Auto-Submitted", "auto-generated")
            raw = _LINE_END.sub(b"\r\n", message.message().as_bytes())
            for recipient in message.recipients():
                sender.send(NOBODY, recipient, raw)
        finally:
            if isinstance(sender, SmtpSender):
                sender.close()
