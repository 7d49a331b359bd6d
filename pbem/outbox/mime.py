"""The tree of a letter: mixed(alternative(text, related(html, pictures)), records)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from django.conf import settings


@dataclass(frozen=True)
class Picture:
    """An inline PNG that the HTML part shows as `cid:<cid>`."""

    cid: str
    name: str
    png: bytes


@dataclass(frozen=True)
class Attachment:
    name: str
    subtype: str
    text: str


@dataclass(frozen=True)
class Headers:
    """What differs from letter to letter; `thread` is the Message-ID all letters of a match refer to."""

    subject: str
    to: str
    reply_to: str
    message_id: str
    date: datetime
    thread: str = ""
    kind: str = ""
    more: dict[str, str] = field(default_factory=dict)


def assemble(
    headers: Headers, text: str, html: str, pictures: Sequence[Picture], attachments: Sequence[Attachment]
) -> bytes:
    """The letter as bytes with CRLF line ends, 7-bit clean."""
    message = EmailMessage(SMTP)
    message["From"] = f"PBeM <play@{settings.MAIL_DOMAIN}>"
    message["To"] = headers.to
    message["Reply-To"] = headers.reply_to
    message["Subject"] = headers.subject
    message["Date"] = format_datetime(headers.date)
    message["Message-ID"] = headers.message_id
    if headers.thread:
        message["References"] = headers.thread
        message["In-Reply-To"] = headers.thread
    message["X-PBeM-Letter"] = headers.kind  # for the filters of players
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    for name, value in headers.more.items():
        message[name] = value
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    for picture in pictures:
        # Inside multipart/related with the HTML: elsewhere mail programs show it as an attachment.
        message.get_payload()[1].add_related(  # type: ignore[union-attr,index]
            picture.png, "image", "png", cid=f"<{picture.cid}>", filename=picture.name, disposition="inline"
        )
    for attachment in attachments:
        message.add_attachment(attachment.text, subtype=attachment.subtype, filename=attachment.name)
    return message.as_bytes()
