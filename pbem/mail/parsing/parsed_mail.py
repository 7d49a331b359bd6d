"""Parses a message lazily and once: headers, parts, reports, and certified mail inside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.mail.parsing.headers import HeaderSummary, glance_at
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

# Italian certified mail (PEC): the provider sends the author's letter as a file, postacert.eml, in a signed
# one from `"Per conto di: bruno@pec.example" <posta-certificata@pec.example>` (RFC 6109, 3.1.3).

ENVELOPES = ("posta-certificata", "errore")  # errore: a letter of ordinary mail, forwarded unchanged
INSIDE = "postacert.eml"
CERTIFIED_BY = "posta-certificata"  # local part in the envelope's From


def is_envelope(headers: Headers) -> bool:
    """Tells whether the headers declare an envelope of certified mail."""
    return not too_complex(headers) and headers.get("x-trasporto").strip().lower() in ENVELOPES


def letter_in(raw: bytes, parts: Iterable[Part]) -> bytes | None:
    """Finds the letter among the `parts` of the envelope `raw`. None when there is none."""
    for part in parts:
        named = INSIDE in (
            part.headers.parameter("content-disposition", "filename").lower(),
            part.headers.parameter("content-type", "name").lower(),
        )
        if part.kind == "message/rfc822" or named:
            coding = part.headers.get("content-transfer-encoding")
            return undo_transfer_encoding(raw[part.start : part.end], coding)
    return None


# Reports of mail servers

FIELDS = 64 * 1024  # octets of the machine-readable part (RFC 3464, 5965)
BLOCKS = 50  # one for the letter, one for each recipient; our letters have one recipient
TEXT = 16 * 1024  # characters of the human-readable part
TEXTS = 5  # parts that are searched for it
COPY = 256 * 1024  # octets that are searched for the headers of the returned letter

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
    """A delivery report. `blocks` are its groups of fields: the first on the letter, the others on
    recipients."""

    headers: Headers
    text: str
    blocks: tuple[Headers, ...]
    original_message_id: str  # "<...>" or ""
    copied: Headers  # headers of the returned letter; empty when the report has no copy

    def said(self, field: str) -> str:
        """Returns the first value of a field in any block. Empty when absent."""
        return next((block.get(field) for block in self.blocks if block.has(field)), "")


NO_REPORT = Report(Headers(()), "", (), "", Headers(()))


def report_in(raw: bytes, headers: Headers, parts: tuple[Part, ...]) -> Report:
    """Reads the report in a message with these `headers` and `parts`. Bounded; never raises."""
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
    """Returns the Message-ID of our letter: from its copy, else from the report's fields or text."""
    for part in parts:
        named = _copied(raw, part).get("message-id") if part.kind in _COPY_KINDS else ""
        if found := _MESSAGE_ID.search(named):
            return found[0]
    for named in (block.get("x-original-message-id") for block in blocks):
        if found := _MESSAGE_ID.search(named):
            return found[0]
    for octets in texts:  # qmail and Exim copy the letter below their text
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
    """A message, parsed on demand. `own_domain` lets it recognise our own letters.

    Parts are those of the first LETTER octets. `parts` raises TooComplex; nothing else raises.
    """

    def __init__(self, raw: bytes, *, own_domain: str = "") -> None:
        self.raw = raw
        self.own_domain = own_domain

    @property
    def headers(self) -> Headers:
        return self._head[0]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts in reading order. Embedded letters are not opened."""
        headers, body = self._head
        return tuple(leaves(self.raw[:LETTER], headers, body))

    @cached_property
    def summary(self) -> HeaderSummary:
        """The parsed headers, which prove nothing."""
        return glance_at(self.headers, own_domain=self.own_domain)

    @cached_property
    def report(self) -> Report:
        """The delivery report in this message."""
        try:
            return report_in(self.raw[:LETTER], self.headers, self.parts)
        except TooComplex:
            return replace(NO_REPORT, headers=self.headers)

    @cached_property
    def inside(self) -> ParsedMail | None:
        """The message in an envelope of certified mail. None when it is no such envelope.

        Authentication of the envelope does not extend to the message inside: envelopes can be forged.
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
