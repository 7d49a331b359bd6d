"""Takes apart what a mail server sends back: its words, the fields of its report, the letter that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbem.mail.parsing.charsets import clean, decode, undo_transfer_encoding
from pbem.mail.parsing.limits import Headers, read_headers
from pbem.mail.parsing.parts import Part

FIELDS = 64 * 1024  # octets of the machine's part of a report (RFC 3464, 5965)
BLOCKS = 50  # in it: one for the letter, one for each recipient; a letter of ours has one recipient
TEXT = 16 * 1024  # characters of what is said to people
TEXTS = 5  # parts that are searched for it
COPY = 256 * 1024  # octets that are searched for the headers of the letter sent back

_FIELD_KINDS = {"message/delivery-status", "message/global-delivery-status", "message/feedback-report"}
_COPY_KINDS = {
    *("message/rfc822", "message/global", "text/rfc822"),
    *("text/rfc822-headers", "message/rfc822-headers", "message/global-headers"),
}
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_COPIED_ID = re.compile(r"^[ \t>]*message-id:\s{0,5}(<[^<>\s]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n")


@dataclass(frozen=True)
class Report:
    """`blocks` are the report's groups of fields, the first about the letter, the others about its recipients."""

    headers: Headers
    text: str
    blocks: tuple[Headers, ...]
    original_message_id: str  # of the letter that the report is about, "<...>" or ""
    copied: Headers  # of that letter, where the report has a copy of it

    def said(self, field: str) -> str:
        """The first value of a field in any block."""
        return next((block.get(field) for block in self.blocks if block.has(field)), "")


NO_REPORT = Report(Headers(()), "", (), "", Headers(()))


def report_in(raw: bytes, headers: Headers, parts: tuple[Part, ...]) -> Report:
    """What a message of these `headers` and `parts` says. Bounded; never raises."""
    blocks = tuple(_blocks(raw, parts))
    texts = [_octets(raw, part, COPY) for part in parts if part.kind == "text/plain"][:TEXTS]
    text = clean(decode(texts[0][: 4 * TEXT], "utf-8"))[:TEXT] if texts else ""
    copies = (_copied(raw, part) for part in parts if part.kind in _COPY_KINDS)
    copied = next((copy for copy in copies if copy.fields), Headers(()))
    return Report(headers, text, blocks, _original(raw, headers, blocks, parts, texts), copied)


def _blocks(raw: bytes, parts: tuple[Part, ...]) -> Iterator[Headers]:
    for part in parts:
        if part.kind in _FIELD_KINDS:
            octets = _octets(raw, part, FIELDS)
            for block in _BLANK_LINE.split(octets.strip(), maxsplit=BLOCKS)[:BLOCKS]:
                yield read_headers(block.lstrip() + b"\n\n")[0]


def _original(
    raw: bytes,
    headers: Headers,
    blocks: tuple[Headers, ...],
    parts: tuple[Part, ...],
    texts: list[bytes],
) -> str:
    """From the copy of our letter; else from what the report, or its text, says of it."""
    for part in parts:
        named = _copied(raw, part).get("message-id") if part.kind in _COPY_KINDS else ""
        if found := _MESSAGE_ID.search(named):
            return found[0]
    for named in (block.get("x-original-message-id") for block in blocks):
        if found := _MESSAGE_ID.search(named):
            return found[0]
    for octets in texts:  # qmail and Exim copy the letter below their own words
        if copied_id := _COPIED_ID.search(decode(octets, "utf-8").replace("\r\n", "\n")):
            return copied_id[1]
    answered = _MESSAGE_ID.search(headers.get("in-reply-to") or headers.get("references"))
    return answered[0] if answered else ""


def _copied(raw: bytes, part: Part) -> Headers:
    return read_headers(_octets(raw, part, COPY).lstrip() + b"\n\n")[0]


def _octets(raw: bytes, part: Part, most: int) -> bytes:
    encoded = raw[part.start : min(part.end, part.start + 2 * most)]
    return undo_transfer_encoding(encoded, part.headers.get("content-transfer-encoding"))[:most]
