"""Whatever can be read in a letter, for whoever looks for a word in it."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

from pbem.mail.parsing.charsets import decode, undo_transfer_encoding
from pbem.mail.parsing.limits import one_line
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import NESTING, Part, TooComplex

_PICTURES = ("image", "audio", "video")


def every_text(raw: bytes, depth: int = 0) -> Iterator[str]:
    """It as it came, its headers, each part but pictures and sounds, and the letters within; of a letter that is too
    complex for any mail program not its parts."""
    mail = ParsedMail(raw)
    yield decode(raw, "utf-8")
    yield "\n".join(one_line(value)[0] for _, value in mail.headers.fields)
    try:
        parts = mail.parts
    except TooComplex:
        return
    for part in parts:
        if part.kind.partition("/")[0] in _PICTURES:
            continue
        octets = undo_transfer_encoding(
            raw[part.start : part.end], part.headers.get("content-transfer-encoding")
        )
        yield _text(part, octets)
        if part.kind == "message/rfc822" and depth < NESTING:
            yield from every_text(octets, depth + 1)


def _text(part: Part, octets: bytes) -> str:
    text = decode(octets, part.headers.parameter("content-type", "charset"))
    return unescape(text) if part.kind == "text/html" else text
