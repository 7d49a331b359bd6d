"""Reads the headers of strangers within fixed bounds of time and memory, and never raises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import cached_property

from pbem.mail.parsing.charsets import clean, decode

# The modern policy (email.policy.default) parses addresses recursively and folds subjects in quadratic
# time: one letter can cost seconds or raise RecursionError. compat32 behind these bounds does not.
LETTER = 10 * 1024 * 1024  # bytes; the door refuses more
HEADER_BLOCK = 256 * 1024  # bytes
HEADERS = 1_000
HEADER = 8 * 1024  # characters of one header that are looked at
PARAMETERS = 1024  # characters of a Content-* header that are looked at
SEMICOLONS = 30  # in them: the standard library counts the quotes anew at each
ENCODED_WORDS = 200
COMMENTS = 20  # brackets in an address header: each may hold another

_END_OF_HEADERS = re.compile(rb"\n\r?\n")
_BARE_RETURN = re.compile(rb"\r(?!\n)")
_FIELD_START = re.compile(rb"^[^ \t\r\n]", re.MULTILINE)
_BLANK_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
_FIELD = re.compile(rb"From |[!-9;-~]+[ \t]*:")  # the first word: mailboxes begin a letter with "From "


@dataclass(frozen=True)
class Headers:
    """The header fields of a letter or a part in their order, unfolded, names in lower case."""

    fields: tuple[tuple[str, str], ...]
    defects: tuple[str, ...] = ()
    cut: frozenset[str] = frozenset()  # the names of those that are longer than HEADER

    @cached_property
    def _values(self) -> Mapping[str, list[str]]:
        values: dict[str, list[str]] = {}
        for name, value in self.fields:
            values.setdefault(name, []).append(value)
        return values

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(self._values.get(name, ()))

    def get(self, name: str) -> str:
        """The topmost value, "" when there is none."""
        return self._values.get(name, ("",))[0]

    def has(self, *names: str) -> bool:
        return any(name in self._values for name in names)

    def content_type(self) -> str:
        """As `text/plain`, lower case; what is absent or unreadable is text/plain (RFC 2045, 5.2)."""
        kind = self.get("content-type").split(";", 1)[0].strip().lower()
        return kind if kind.count("/") == 1 else "text/plain"

    def parameter(self, field: str, name: str) -> str:
        """A parameter such as boundary or charset, RFC 2231 undone; "" when absent or unreadable."""
        written = self.get(field)[:PARAMETERS]
        if "=" not in written or written.count(";") > SEMICOLONS:
            return ""
        message = Message(policy=compat32)
        message[field] = written
        try:
            value = message.get_param(name, "", header=field)
        except (ValueError, TypeError, IndexError, MessageError):
            return ""
        return str(value[2] if isinstance(value, tuple) else value or "").strip()


def read_headers(raw: bytes, start: int = 0, end: int | None = None) -> tuple[Headers, int]:
    """The headers that begin at `start`, and where the body begins; a defect when they pass the bounds."""
    end = len(raw) if end is None else end
    if start == 0:  # some programs that hand letters on put a blank line before them
        start = len(raw) - len(raw.lstrip(b"\r\n"))
    reach = min(end, start + HEADER_BLOCK)
    if raw.startswith((b"\n", b"\r\n"), start):
        return Headers(()), min(end, raw.index(b"\n", start) + 1)
    blank = _END_OF_HEADERS.search(raw, start, reach)
    stop = blank.end() if blank else reach
    defects = ("header block too long",) if blank is None and reach < end else ()
    if _BARE_RETURN.search(raw, start, stop):  # a line ends there for some, not for others
        defects = (*defects, "bare carriage return")
    cut, why = _first_bad_field(raw[start:stop])
    if why:
        stop, defects = start + cut, (*defects, why)
    block = _BLANK_BEFORE_COLON.sub(rb"\1:", raw[start:stop])  # where the library would end the headers
    message = BytesHeaderParser(policy=compat32).parsebytes(block)
    fields = tuple((name.strip().lower(), str(value)) for name, value in message.raw_items())
    return Headers(
        tuple((name, _unfold(value)) for name, value in fields),
        defects,
        frozenset(name for name, value in fields if len(value) > HEADER),
    ), stop


def too_complex(headers: Headers) -> bool:
    return "header block too long" in headers.defects or "too many headers" in headers.defects


def one_line(value: str) -> tuple[str, bool]:
    """A header as a person reads it, encoded words decoded, and whether they could be."""
    value = value[:HEADER]
    if value.count("=?") > ENCODED_WORDS:
        return _flat(value), False
    try:
        words = decode_header(value)
    except (ValueError, MessageError):  # broken base64
        return _flat(value), False
    return _flat("".join(_word(word, charset) for word, charset in words)), True


def mailboxes(value: str) -> tuple[str, ...]:
    """The addresses of an address header, lower case; names and comments, which may hold others, skipped."""
    return tuple(dict.fromkeys(_addresses(outside(value))))


def hides_mailboxes(value: str) -> bool:
    """Whether somebody else may read another mailbox in it: a quotation mark or a bracket that is never closed, or an
    @ of which we make no address."""
    bare = outside(value)
    return "@" in value and (not bare or bare.count("@") != len(_addresses(bare)))


def outside(value: str) -> str:
    """An address header without what is quoted and what is in brackets, each as far as it goes; "" where one of
    them never ends."""
    kept: list[str] = []
    quoted, depth = False, 0
    if value[:HEADER].count("(") > COMMENTS:
        return ""
    for token in _TOKENS.findall(value[:HEADER]):
        if quoted:
            quoted = token != '"'
        elif depth or token == "(":
            depth += {"(": 1, ")": -1}.get(token, 0)
            kept.append(" ")
        else:
            quoted = token == '"'
            kept.append(" " if quoted else token)
    return "" if quoted or depth else "".join(kept)


def _addresses(bare: str) -> list[str]:
    # In small letters the sign of the kelvin is an ordinary k, and the mailbox another one.
    words = (word.lower() for word in _BETWEEN_ADDRESSES.split(bare) if "\u212a" not in word)
    return [word for word in words if _ADDRESS.fullmatch(word)]


def display_name(value: str) -> str:
    """The name before the first address, "" when there is none."""
    name, bracket, _ = value[:HEADER].partition("<")
    return one_line(name.strip().strip('"'))[0] if bracket else ""


_TOKENS = re.compile(r'\\.|["()\\]|[^"()\\]+', re.DOTALL)
_BETWEEN_ADDRESSES = re.compile(r"[\s<>,;]+")
_ADDRESS = re.compile(r"(?!=\?)[^@:()\[\]\\]{1,200}@[^@:()\\]{1,255}")


def _first_bad_field(block: bytes) -> tuple[int, str]:
    """Where the block stops being headers, and why; ("", 0) when it does not."""
    for count, match in enumerate(_FIELD_START.finditer(block)):
        if count == HEADERS:
            return match.start(), "too many headers"
        if not _FIELD.match(block, match.start()):
            return match.start(), "no blank line after the headers"
    return 0, ""


def _unfold(value: str) -> str:
    octets = str(value)[: 2 * HEADER].encode("ascii", "surrogateescape")
    return " ".join(clean(decode(octets, "utf-8")[:HEADER]).split())


def _word(word: bytes | str, charset: str | None) -> str:
    if isinstance(word, str):
        return word
    if charset is None:  # what decode_header found between encoded words, in the encoding of its choice
        return word.decode("raw_unicode_escape", "replace")
    return decode(word, charset)


def _flat(value: str) -> str:
    """One line without control characters: safe to reuse in a header or a log."""
    return " ".join(clean(value).split())
