"""Reads the address of an IMAP mailbox out of IMAP_URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

_PORTS = {"imaps": 993, "imap+starttls": 143, "imap": 143}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Account:
    """`scheme` is imaps, imap+starttls or imap; `folder` is the one that letters arrive in."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"

    @classmethod
    def parse(cls, url: str) -> Account:
        """`imaps://USER:PASSWORD@HOST:PORT/FOLDER`. Raises ValueError, which never shows the password."""
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not (parts.hostname and parts.username and parts.password):
            raise ValueError("it is not imaps://USER:PASSWORD@HOST/FOLDER")
        return cls(
            parts.scheme,
            parts.hostname,
            parts.port or _PORTS[parts.scheme],
            unquote(parts.username),
            unquote(parts.password),
            unquote(parts.path[1:]) or "INBOX",
        )

    @property
    def in_the_clear(self) -> bool:
        """Whether somebody on the way could read the password."""
        return self.scheme == "imap" and self.host not in LOOPBACK

    def __str__(self) -> str:
        return f"{self.user} at {self.host}:{self.port}, folder {self.folder}"
