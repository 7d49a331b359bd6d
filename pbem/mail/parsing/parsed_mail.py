"""A message that is parsed once, as far as somebody asks: headers, parts, what it says of itself and what it wraps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.mail.parsing.headers import Glance, glance_at
from pbem.mail.parsing.parts import (
    LETTER,
    Headers,
    Part,
    TooComplex,
    clean,
    decode,
    leaves,
    read_headers,
    too_complex,
    undo_transfer_encoding,
)

# Takes a letter out of the envelope that Italian certified mail (PEC) puts around it. The author's
# provider sends the letter as a file, postacert.eml, in a signed one of its own (RFC 6109, 3.1.3),
# in which they read as `"Per conto di: bruno@pec.example" <posta-certificata@pec.example>`.

ENVELOPES = ("posta-certificata", "errore")  # errore: a letter of ordinary mail, handed on as it was
INSIDE = "postacert.eml"
CERTIFIED_BY = "posta-certificata"  # the mailbox in From of the envelope


def is_envelope(headers: Headers) -> bool:
    """As it says of itself."""
    return not too_complex(headers) and headers.get("x-trasporto").strip().lower() in ENVELOPES


def letter_in(raw: bytes, parts: Iterable[Part]) -> bytes | None:
    """The letter among the `parts` of the envelope `raw`."""
    for part in parts:
        named = INSIDE in (
            part.headers.parameter("content-disposition", "filename").lower(),
            part.headers.parameter("content-type", "name").lower(),
        )
        if part.kind == "message/rfc822" or named:
            coding = part.headers.get("content-transfer-encoding")
            return undo_transfer_encoding(raw[part.start : part.end], coding)
    return None


# Takes apart what a mail server sends back: its words, the fields of its report, the letter that it
# is about.

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


class ParsedMail:
    """Of any octets. `own_domain` lets it know our own letters when they come back.

    Parts are those of the first LETTER octets; asking for them raises TooComplex. Nothing else raises.
    """

    def __init__(self, raw: bytes, *, own_domain: str = "") -> None:
        self.raw = raw
        self.own_domain = own_domain

    @property
    def headers(self) -> Headers:
        return self._head[0]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """In reading order; letters within the letter are not opened."""
        headers, body = self._head
        return tuple(leaves(self.raw[:LETTER], headers, body))

    @cached_property
    def glance(self) -> Glance:
        """What the headers say, which proves nothing."""
        return glance_at(self.headers, own_domain=self.own_domain)

    @cached_property
    def report(self) -> Report:
        """What a mail server says in it of a letter of ours."""
        try:
            return report_in(self.raw[:LETTER], self.headers, self.parts)
        except TooComplex:
            return replace(NO_REPORT, headers=self.headers)

    @cached_property
    def inside(self) -> ParsedMail | None:
        """The message in an envelope of certified mail; None where there is no such envelope.

        Anybody can write such an envelope: who vouches for it vouches for no word of the message inside.
        """
        if len(self.raw) > LETTER or not is_envelope(self.headers):
            return None
        try:
            raw = letter_in(self.raw, self.parts)
        except TooComplex:
            return None
        return None if raw is None else ParsedMail(raw, own_domain=self.own_domain)

    @cached_property
    def _head(self) -> tuple[Headers, int]:
        return read_headers(self.raw[:LETTER])
