"""Hands a finished letter to the relay, or writes it to a folder, as EMAIL_URL says."""

from __future__ import annotations

import smtplib
import threading
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from django.conf import settings


class TemporaryFailure(Exception):
    """The relay cannot take the letter now: try later."""


class Refusal(Exception):
    """The relay will never take the letter."""


class Sender(Protocol):
    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        """Hand over; the relay's answer. Raises TemporaryFailure or Refusal."""
        ...


class SmtpSender:
    """One connection for each thread, kept open between letters."""

    def __init__(
        self, host: str, port: int, *, user: str = "", password: str = "", tls: bool, ssl: bool
    ) -> None:
        self._host, self._port, self._user, self._password = host, port, user, password
        self._tls, self._ssl = tls, ssl
        self._kept = threading.local()

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        try:
            return self._hand_over(self._greeted(sender), recipient, raw)
        except smtplib.SMTPResponseException as reply:
            self._forget()
            text = f"{reply.smtp_code} {_text(reply.smtp_error)}"
            raise (Refusal if reply.smtp_code >= 500 else TemporaryFailure)(text) from reply
        except (OSError, smtplib.SMTPException) as trouble:
            self._forget()
            raise TemporaryFailure(repr(trouble)) from trouble

    def _greeted(self, sender: str) -> smtplib.SMTP:
        """A connection that has heard whom the letter is from: the one kept, unless the relay has left it."""
        kept: smtplib.SMTP | None = getattr(self._kept, "smtp", None)
        if kept is not None:
            try:
                if kept.mail(sender)[0] == 250:
                    return kept
            except (OSError, smtplib.SMTPException):
                pass
            self._forget()
        smtp = self._connected()
        _taken(smtp.mail(sender))
        return smtp

    def _hand_over(self, smtp: smtplib.SMTP, recipient: str, raw: bytes) -> str:
        _taken(smtp.rcpt(recipient))
        code, answer = _taken(smtp.data(raw))
        return f"{code} {_text(answer)}"

    def _connected(self) -> smtplib.SMTP:
        smtp = (smtplib.SMTP_SSL if self._ssl else smtplib.SMTP)(self._host, self._port, timeout=30)
        if self._tls:
            smtp.starttls()
        if self._user:
            smtp.login(self._user, self._password)
        smtp.ehlo_or_helo_if_needed()
        self._kept.smtp = smtp
        return smtp

    def _forget(self) -> None:
        smtp: smtplib.SMTP | None = getattr(self._kept, "smtp", None)
        if smtp is not None:
            smtp.close()
        self._kept.smtp = None


class FileSender:
    """Writes each letter to `folder` as .eml, under a name that the same letter keeps."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{recipient}-{sha256(raw).hexdigest()[:16]}.eml"
        path.write_bytes(raw)
        return f"250 written to {path.name}"


@cache
def default_sender() -> Sender:
    """The one that EMAIL_URL names; `cache_clear()` it when a test changes the setting."""
    return sender_for(settings.EMAIL_URL)


def sender_for(url: str) -> Sender:
    """smtp://, smtp+starttls:// and smtps:// with USER:PASSWORD@HOST:PORT, or file:///FOLDER.

    Raises ValueError for anything else.
    """
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path.startswith("/"):
        return FileSender(Path(unquote(parts.path)))
    if parts.scheme in _PORTS and parts.hostname:
        return SmtpSender(
            parts.hostname,
            parts.port or _PORTS[parts.scheme],
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            tls=parts.scheme == "smtp+starttls",
            ssl=parts.scheme == "smtps",
        )
    raise ValueError(f"{url!r} is neither smtp://HOST:PORT nor file:///FOLDER")


_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


def _taken(reply: tuple[int, bytes]) -> tuple[int, bytes]:
    """Raises what the relay refuses."""
    if reply[0] >= 400:
        raise smtplib.SMTPResponseException(*reply)
    return reply


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
