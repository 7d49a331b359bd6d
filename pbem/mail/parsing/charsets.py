"""Turns the octets of a text part into text that is safe to read, show and send on."""

from __future__ import annotations

import binascii
import codecs
import re

# Mail labelled with these is Windows text more often than not, as browsers know (WHATWG encodings).
_MEANT = {"iso8859-1": "cp1252", "ascii": "utf-8", "utf-8": "utf-8"}
# Quadratic, or no alphabet of any mail program: a stranger does not choose these.
_REFUSED = {"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}")

# NUL and controls, soft hyphen, zero-width, bidi overrides and isolates, byte order mark, interlinear
# marks, lone surrogates, tags: all that a reader cannot see and that turns two texts into one.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    "|(?<=[ -\u024f])[\ufe00-\ufe0f]"  # variation selectors, but for those that colour a sign
)
_LINE_END = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_BLANK = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def decode(octets: bytes, charset: str) -> str:
    """Text by the declared charset, else utf-8, Windows Latin, Latin-1, which never fails."""
    for name in (_codec(charset), "utf-8", "cp1252"):
        try:
            return octets.decode(name)
        except (LookupError, ValueError):  # UnicodeError is a ValueError
            continue
    return octets.decode("latin-1")


def undo_transfer_encoding(octets: bytes, encoding: str) -> bytes:
    """Quoted-printable or base64 undone as far as it goes; anything else as it is. `encoding` may have a comment."""
    name = _TOKEN.match(encoding)
    match name and name[1].lower():
        case "quoted-printable":
            return binascii.a2b_qp(octets)
        case "base64":
            return _base64(octets)
    return octets


def _base64(octets: bytes) -> bytes:
    """Of every piece: each has a padding of its own. Words that a gateway has put around them stay as they are."""
    undone, letters = [], bytearray()
    for line in octets.splitlines():
        if not _WORDS.search(line):
            letters += _NOT_BASE64.sub(b"", line)
            continue
        undone += [_piece(letters), b"\n", line, b"\n"]
        letters.clear()
    return b"".join((*undone, _piece(letters)))


def _piece(letters: bytearray) -> bytes:
    parts = filter(None, bytes(letters).split(b"="))
    return b"".join(binascii.a2b_base64(part[: len(part) - (len(part) % 4 == 1)] + b"==") for part in parts)


def clean(text: str) -> str:
    """The same text with one kind of line end and of blank, and without what cannot be seen."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return _BLANK.sub(" ", _INVISIBLE.sub("", _LINE_END.sub("\n", text)))


def unflow(text: str, *, delete_space: bool) -> str:
    """format=flowed (RFC 3676) undone: each paragraph, quoted or not, on one line."""
    paragraphs: list[list[str]] = []
    open_depth: int | None = None  # how deep the paragraph is quoted that the next line continues
    for line in text.split("\n"):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")
        is_signature = words == "-- "  # which ends in a blank, but does not flow (RFC 3676, 4.3)
        if depth != open_depth or is_signature:
            paragraphs.append([f"{'>' * depth} "] if depth else [])
        flows = words.endswith(" ") and not is_signature
        paragraphs[-1].append(words[:-1] if flows and delete_space else words)
        open_depth = depth if flows else None
    return "\n".join(map("".join, paragraphs))


_TOKEN = re.compile(
    r"\s*([\w-]+)"
)  # a comment, or what else stands behind it, is no part of it (RFC 2045, 6.1)
_WORDS = re.compile(rb"\w[ ,.:;?!]+\w|[_@]")  # which base64 has not
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")


def _codec(charset: str) -> str:
    if not _CHARSET.fullmatch(charset):
        return "utf-8"
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return "utf-8" if name.replace("_", "-") in _REFUSED else _MEANT.get(name, name)
