"""Assembles MIME letters: mixed(alternative(text, related(html, pictures)), attachments)."""

from __future__ import annotations

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.message import Message
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import Compat32
from email.utils import format_datetime

from django.conf import settings

from pbem.outbox.delivery.smtp import in_ascii


class _Wire(Compat32):
    """The compat32 policy, which folds at blanks only."""

    # Newer policies encode the long addresses of List-Unsubscribe as encoded words, which mail programs do
    # not decode there, and are four times slower.

    def fold_binary(self, name: str, value: str) -> bytes:
        """Skips the folding of short lines."""
        line = f"{name}: {value}"
        short = len(line) <= WIDTH and line.isascii() and line.isprintable()
        return f"{line}{self.linesep}".encode() if short else super().fold_binary(name, value)


WIDTH = 78
WIRE = _Wire(linesep="\r\n", max_line_length=WIDTH)
_TO = b"written-in-utf-8"  # placeholder of a non-ASCII address, which the library would encode


@dataclass(frozen=True)
class Picture:
    """An inline PNG or GIF, as its name says, referred to in HTML as `cid:<cid>`."""

    cid: str
    name: str
    content: bytes

    @property
    def subtype(self) -> str:
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class Attachment:
    """An attachment: text, or the bytes of a picture or an archive."""

    name: str
    subtype: str
    content: str | bytes


@dataclass(frozen=True)
class Headers:
    """The variable headers. `thread` is the Message-ID to which all letters of a match refer."""

    subject: str
    to: str
    reply_to: str
    message_id: str
    date: datetime
    thread: str = ""
    kind: str = ""
    language: str = ""
    more: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Part:
    """An encoded part. Built by hand, since the library examines every line."""

    fields: Sequence[tuple[str, str]]
    content: bytes

    def __bytes__(self) -> bytes:
        return b"".join([*(WIRE.fold_binary(*field) for field in self.fields), b"\r\n", self.content])


def assemble(
    headers: Headers, text: str, html: str, pictures: Sequence[Picture], attachments: Sequence[Attachment]
) -> bytes:
    """Returns the letter with CRLF line ends, 7-bit unless the address is not ASCII. Text only without
    `html`."""
    seed = headers.message_id.strip("<>").partition("@")[0]
    letter = _text("plain", text)
    if html:
        letter = _multipart("alternative", seed, [letter, _page(seed, html, pictures)])
    if attachments:
        letter = _multipart("mixed", seed, [letter, *map(_attached, attachments)])
    raw = bytes(_Part([*letter.fields, *_fields(headers)], letter.content))
    if not headers.to.isascii():
        raw = raw.replace(
            _TO, headers.to.encode(), 1
        )  # RFC 6532; addresses cannot be encoded words (RFC 2047, 5)
    return raw


def _fields(headers: Headers) -> Iterator[tuple[str, str]]:
    yield "From", f"PBeM <play@{settings.MAIL_DOMAIN}>"
    yield "To", headers.to if headers.to.isascii() else _TO.decode("ascii")
    yield "Reply-To", headers.reply_to
    yield "Subject", _subject(headers.subject)
    yield "Date", format_datetime(headers.date)
    yield "Message-ID", headers.message_id
    if headers.thread:
        yield from (("In-Reply-To", headers.thread), ("References", headers.thread))
    if headers.language:
        yield "Content-Language", headers.language
    yield "X-PBeM-Letter", headers.kind  # for players' mail filters
    yield "Auto-Submitted", "auto-generated"
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"
    yield from headers.more.items()


def mailbox(name: str, address: str) -> str:
    """Returns `"Alice" <family@example.org>`, or `<carla@example.org>` without a name."""
    address = in_ascii(address)
    if not name:
        return f"<{address}>"
    shown = f'"{name}"' if name.isascii() else Header(name, "utf-8").encode()
    return f"{shown} <{address}>"


def _page(seed: str, html: str, pictures: Sequence[Picture]) -> _Part:
    """Puts HTML and pictures into multipart/related; otherwise pictures show as attachments."""
    page = _text("html", html)
    return _multipart("related", seed, [page, *map(_picture, pictures)]) if pictures else page


def _multipart(kind: str, seed: str, parts: Iterable[_Part | Message]) -> _Part:
    """Joins parts. The boundary derives from the letter, so that every attempt sends the same bytes."""
    boundary = f"=_{seed}_{kind}"
    begin = f"--{boundary}\r\n".encode("ascii")
    content = (b"\r\n" + begin).join(
        bytes(part) if isinstance(part, _Part) else part.as_bytes(policy=WIRE) for part in parts
    )
    end = f"\r\n--{boundary}--\r\n".encode("ascii")
    return _Part(_typed(f'multipart/{kind}; boundary="{boundary}"'), begin + content + end)


def _text(kind: str, text: str) -> _Part:
    fields = (*_typed(f'text/{kind}; charset="utf-8"'), ("Content-Transfer-Encoding", "quoted-printable"))
    return _Part(fields, _lines(b2a_qp(text.encode(), istext=True)))


def _picture(picture: Picture) -> _Part:
    named = Message()
    named.add_header("Content-Disposition", "inline", filename=picture.name)
    fields = (
        *_typed(f"image/{picture.subtype}"),
        ("Content-Transfer-Encoding", "base64"),
        ("Content-ID", f"<{picture.cid}>"),
        *named.items(),
    )
    return _Part(fields, encodebytes(picture.content).rstrip().replace(b"\n", b"\r\n"))


def _lines(octets: bytes) -> bytes:
    """Converts line ends to CRLF."""
    return octets.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")


def _typed(content_type: str) -> tuple[tuple[str, str], ...]:
    return ("Content-Type", content_type), ("MIME-Version", "1.0")


def _attached(attachment: Attachment) -> Message:
    if isinstance(attachment.content, bytes):
        family = "application" if attachment.subtype == "zip" else "image"
        part: Message = MIMENonMultipart(family, attachment.subtype)
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(encodebytes(attachment.content).decode("ascii").rstrip())
    else:
        part = MIMENonMultipart("text", attachment.subtype, charset="utf-8")
        part["Content-Transfer-Encoding"] = "quoted-printable"
        part.set_payload(b2a_qp(attachment.content.encode(), istext=True).decode("ascii"))
        if attachment.subtype == "calendar":
            part.set_param("method", "PUBLISH")  # RFC 6047, 2.4
        elif attachment.subtype != "plain":
            part.set_type(f"application/{attachment.subtype}")
    part.add_header("Content-Disposition", "attachment", filename=attachment.name)
    return part


def _subject(text: str) -> str:
    """Returns a subject on one line, which prevents header injection. Encoded unless it is ASCII."""
    line = " ".join(text.split())
    return line if line.isascii() else Header(line, "utf-8", header_name="Subject").encode()
