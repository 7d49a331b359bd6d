"""What lies in the folder of letters, by whom it is for: the mailboxes of everybody whom the service writes to."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.headerregistry import Address, AddressHeader, DateHeader
from email.message import EmailMessage
from functools import cached_property, lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Letter:
    """`name` is that of its file."""

    name: str
    message: EmailMessage

    @property
    def reader(self) -> Address:
        return self._mailbox("To")

    @property
    def sender(self) -> Address:
        return self._mailbox("From")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or "")

    @property
    def reply_to(self) -> str:
        return str(self._mailbox("Reply-To").addr_spec or self.sender.addr_spec)

    @property
    def sent_at(self) -> datetime | None:
        header = self.message["Date"]
        return header.datetime if isinstance(header, DateHeader) else None

    @cached_property
    def text(self) -> str:
        return self._part("plain")

    @property
    def begins(self) -> str:
        """The first line that says something, as a list of letters shows it."""
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")

    @cached_property
    def html(self) -> str:
        """With its pictures inside: a frame has no parts of a letter to look them up in."""
        html = self._part("html")
        for part in self.message.walk():
            if name := part["Content-ID"]:
                payload = part.get_payload(decode=True)
                data = b64encode(payload if isinstance(payload, bytes) else b"").decode()
                html = html.replace(
                    f"cid:{str(name).strip().strip('<>')}", f"data:{part.get_content_type()};base64,{data}"
                )
        return html

    @property
    def files(self) -> list[str]:
        """The names of what is attached."""
        return [str(part.get_filename()) for part in self.message.iter_attachments() if part.get_filename()]

    def _part(self, kind: str) -> str:
        body = self.message.get_body((kind,))
        return str(body.get_content()).replace("\r\n", "\n") if body else ""

    def _mailbox(self, name: str) -> Address:
        header = self.message[name]
        addresses = header.addresses if isinstance(header, AddressHeader) else ()
        return addresses[0] if addresses else Address()


@dataclass(frozen=True)
class Mailbox:
    """The letters to one address, the newest first."""

    address: str
    letters: tuple[Letter, ...]

    @property
    def owner(self) -> str:
        """As the service calls them; "" while it knows no name."""
        return next((letter.reader.display_name for letter in self.letters if letter.reader.display_name), "")

    @property
    def newest(self) -> str:
        return self.letters[0].name if self.letters else ""

    def letter(self, name: str) -> Letter | None:
        return next((letter for letter in self.letters if letter.name == name), None)


def mailboxes(folder: Path) -> Mapping[str, Mailbox]:
    """By address; the one with the newest letter is the first."""
    found: dict[str, list[Letter]] = {}
    files = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.eml")]
    for changed, path in sorted(files, reverse=True):
        letter = _read(path, changed)
        found.setdefault(letter.reader.addr_spec.lower(), []).append(letter)
    return {address: Mailbox(address, tuple(letters)) for address, letters in found.items()}


@lru_cache(maxsize=1024)
def _read(path: Path, changed: int) -> Letter:
    """`changed` parts one file from a later one of the same name."""
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    return Letter(path.stem, message)
