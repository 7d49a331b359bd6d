"""Finds the parts of a MIME letter without decoding any of them."""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import cached_property

# Turns the octets of a text part into text that is safe to read, show and send on.

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


# Reads the headers of strangers within fixed bounds of time and memory, and never raises.

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
