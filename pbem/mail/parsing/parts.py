"""Finds the parts of a MIME letter without decoding any of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbem.mail.parsing.limits import LETTER, Headers, read_headers, too_complex

NESTING = 20
PARTS = 1_000
# Octets searched for boundaries, summed over all levels: a large letter may nest a few times, not twenty.
SEARCHED = 2 * LETTER
HEADER_BLOCKS = 512 * 1024  # octets of the headers of all parts together
FIELDS = 5 * PARTS  # of all parts together
_LETTER = ("content-type", "message/rfc822")  # what the parts of a digest are (RFC 2046, 5.1.5)


class TooComplex(ValueError):
    """The letter is nested deeper, or has more parts, than any mail program writes."""


@dataclass(frozen=True)
class Part:
    """A part that holds no other; its octets are raw[start:end], transfer encoding and all."""

    headers: Headers
    start: int
    end: int

    @property
    def kind(self) -> str:
        return self.headers.content_type()

    def is_attachment(self) -> bool:
        """What the sender's program shows as a file is not the letter, even if it is text."""
        file_name = self.headers.parameter("content-disposition", "filename")
        return bool(
            self._disposition == "attachment" or file_name or self.headers.parameter("content-type", "name")
        )

    def is_shown(self) -> bool:
        """Whether it is displayed with the letter, though it has the name of a file."""
        return self._disposition != "attachment"

    @property
    def _disposition(self) -> str:
        return self.headers.get("content-disposition").split(";", 1)[0].strip().lower()


@dataclass
class _Effort:
    parts: int = 0
    searched: int = 0
    headers: int = 0  # octets
    fields: int = 0

    def spend(self, headers: Headers, octets: int) -> None:
        """For the headers of one more part. Raises TooComplex."""
        self.headers += octets
        self.fields += len(headers.fields)
        if self.headers > HEADER_BLOCKS or self.fields > FIELDS:
            raise TooComplex(f"{self.fields} headers of parts, {self.headers} octets")


def leaves(raw: bytes, headers: Headers, start: int) -> Iterator[Part]:
    """The parts in reading order; raises TooComplex. Letters within the letter are not opened."""
    yield from _leaves(raw, Part(headers, start, len(raw)), 0, _Effort())


def _leaves(raw: bytes, part: Part, depth: int, effort: _Effort) -> Iterator[Part]:
    effort.parts += 1
    if effort.parts > PARTS or depth > NESTING or too_complex(part.headers):
        raise TooComplex(f"{effort.parts} parts, {depth} deep")
    boundary = part.headers.parameter("content-type", "boundary")
    if not part.kind.startswith("multipart/") or not boundary:
        yield part
        return
    effort.searched += part.end - part.start
    if effort.searched > SEARCHED:
        raise TooComplex(f"{effort.searched} octets of multiparts")
    inside = False
    for start, end in _between(raw, part.start, part.end, boundary.encode("utf-8", "replace")):
        inside = True
        headers, body = read_headers(raw, start, end)
        effort.spend(headers, body - start)
        if part.kind == "multipart/digest" and not headers.has("content-type"):
            headers = Headers((*headers.fields, _LETTER), headers.defects)
        yield from _leaves(raw, Part(headers, body, end), depth + 1, effort)
    if not inside:  # the boundary never comes: read as plain text
        fields = tuple((name, value) for name, value in part.headers.fields if name != "content-type")
        yield Part(Headers(fields), part.start, part.end)


def _between(raw: bytes, start: int, end: int, boundary: bytes) -> Iterator[tuple[int, int]]:
    """The spans between the delimiter lines; the last one may lack its closing delimiter."""
    delimiter = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t]{0,80}+\r?(?:\n|\Z)")
    begin: int | None = None
    at = start - 1  # a body begins behind a line end
    while found := delimiter.search(raw, at, end):
        if begin is not None:
            yield begin, _before_line_end(raw, begin, found.start() + 1)
        if found[1]:
            return
        begin = found.end()
        at = begin - 1  # the line end behind one delimiter may be the one before the next
    if begin is not None and begin < end:
        yield begin, end


def _before_line_end(raw: bytes, begin: int, at: int) -> int:
    """The line end before a delimiter belongs to the delimiter (RFC 2046, 5.1.1)."""
    return max(begin, at - (2 if raw[at - 2 : at] == b"\r\n" else 1))
