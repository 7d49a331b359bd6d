"""Letters that cost much more to read than to write."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from random import Random

LONGEST = 10 * 1024 * 1024 - 8 * 1024  # octets of a body; the door takes 10 MiB
_HEAD = "Message-ID: <{name}@costly.example>\r\nMIME-Version: 1.0\r\n"
_PLAIN = "Content-Type: text/plain; charset=utf-8\r\n"
_MIXED = "Content-Type: multipart/mixed; boundary=b\r\n"
_SUBJECT = "Subject: Re: move\r\n"
_TO = "To: play@pbem.localhost\r\n"

# What is said again and again in one line; said so often in lines of this length; or with this much of it in all.
_SAID = (
    "please",
    "ciao",
    "ciao ciao",
    "no no",
    "and then",
    "e poi",
    "grazie mille",
    "b8-b6",
    "a1 b2 c3",
    ":-)",
    "😀",
    "1.",
    "YES",
)
# Of these a letter has 10 MiB.
_LINES = {
    "blanks in one line": b" ",
    "letters in one line": b"a",
    "words in one line": b"please and no ",
    "lines of one letter": b"a\r\n",
    "lines of YES": b"YES\r\n",
    "moves": b"b8-b6\r\n",
    "quoted": b"> a\r\n",
    "attributions": b"On Mon, 1 Jan 2025 at 10:00, a wrote:\r\n",
    "addresses": b"a@b.example ",
    "dashes": b"-",
    "emoji": "😀".encode(),
    "ligatures": "\ufdfa".encode(),
    "octets without a meaning": bytes(range(128, 256)),
    "returns": b"\r",
}
_HTML = {
    "tables": b"<table><tr><td>x",
    "divisions": b"<div>x",
    "quotes": b"<blockquote>x",
    "lists": b"<ul><li>x",
    "marks": b"<",
    "rows": b"<tr><td>x</td></tr>",
}
_ENCODED = {
    "quoted-printable": (b"=41=3D\r\n", "quoted-printable"),
    "signs of quoted-printable": (b"=", "quoted-printable"),
    "base64 with blanks": (b"A ", "base64"),
    "uuencode": (b"begin 644 x\r\n", "x-uuencode"),
}
_FIELDS = {
    "ids": "<a@b.example> ",
    "brackets": "(",
    "parameters": "a=b;",
    "quotes": '"',
    "continued": "a*0*=x;",
    "encoded words": "=?utf-8?q?=41?= ",
}


def costly(author: str) -> Iterator[tuple[str, bytes]]:
    """A name for each, and the letter."""
    for name, fields, body in _letters():
        said = f"From: {author}\r\n" if "From:" not in fields else ""
        yield name, f"{said}{_HEAD.format(name=name.replace(' ', '.'))}{fields}\r\n".encode() + body


def _letters() -> Iterator[tuple[str, str, bytes]]:
    usual = _TO + _SUBJECT + _PLAIN
    for said in _SAID:
        for length, size in ((230, 2_600), (390, 15_500)):
            line = _filled(f"{said} ".encode(), length) + b"xq\r\n"
            yield f"{said} in lines of {length}", usual, _filled(line, size)
        yield f"{said} in one line", usual, _filled(f"{said} ".encode(), LONGEST)
    for name, line in _LINES.items():
        yield name, usual, _filled(line, LONGEST)
    yield "commands", usual, b"CHALLENGE Bruno loa 3d\r\n" * 390
    for name, mark in _HTML.items():
        yield name, f"{_TO}{_SUBJECT}Content-Type: text/html\r\n", _filled(mark, LONGEST)
    for name, (line, encoding) in _ENCODED.items():
        yield name, f"{usual}Content-Transfer-Encoding: {encoding}\r\n", _filled(line, LONGEST)
    junk = base64.encodebytes(Random(1).randbytes(LONGEST * 7 // 10))
    yield "base64 of junk", f"{usual}Content-Transfer-Encoding: base64\r\n", junk
    for levels in (90, 3_000):
        nested = "".join(
            f"--b{n}\r\nContent-Type: multipart/mixed; boundary=b{n + 1}\r\n\r\n" for n in range(levels)
        )
        yield (
            f"{levels} levels",
            f"{_TO}{_SUBJECT}Content-Type: multipart/mixed; boundary=b0\r\n",
            nested.encode(),
        )
    for name, line in {
        "parts": b"--b\r\n\r\nx\r\n",
        "boundaries, nearly": b"--bb\r\n",
        "letters in it": b"--b\r\nContent-Type: message/rfc822\r\n\r\n",
    }.items():
        yield name, f"{_TO}{_SUBJECT}{_MIXED}", _filled(line, LONGEST)
    yield "100,000 headers", usual + "".join(f"X-{n}: y\r\n" for n in range(100_000)), b"b8-b6\r\n"
    yield "990 headers", usual + "".join(f"X-{n}: {'y ' * 110}\r\n" for n in range(990)), b"b8-b6\r\n"
    for name, said in _FIELDS.items():
        for field in (
            "Subject",
            "To",
            "References",
            "Authentication-Results",
            "Content-Type",
            "DKIM-Signature",
        ):
            others = "".join(each for each in (_TO, _SUBJECT) if not each.startswith(field))
            folded = "\r\n ".join([said * (900 // len(said))] * 250)
            yield f"{name} in {field}", f"{others}{field}: {folded}\r\n", b"hello\r\n"


def _filled(said: bytes, length: int) -> bytes:
    return (said * (length // len(said) + 1))[:length]
