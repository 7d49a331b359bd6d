"""Parses headers and MIME parts within fixed bounds, and decodes text."""

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

# Text decoding

# Text labelled with these is usually Windows text (WHATWG encodings).
_MEANT = {"iso8859-1": "cp1252", "ascii": "utf-8", "utf-8": "utf-8"}
# Quadratic codecs, or encodings that no mail program uses.
_REFUSED = {"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}")

# Invisible characters, which make different texts look the same: NUL and controls, soft hyphen, zero-width,
# bidi overrides and isolates, byte order mark, interlinear marks, lone surrogates, tags.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    "|(?<=[ -\u024f])[\ufe00-\ufe0f]"  # variation selectors, except on emoji
)
_LINE_END = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_BLANK = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def decode(octets: bytes, charset: str) -> str:
    """Decodes by the declared charset, else as UTF-8, Windows Latin or Latin-1. Never fails."""
    for name in (_codec(charset), "utf-8", "cp1252"):
        try:
            return octets.decode(name)
        except (LookupError, ValueError):  # UnicodeError is a ValueError
            continue
    return octets.decode("latin-1")


def undo_transfer_encoding(octets: bytes, encoding: str) -> bytes:
    """Decodes quoted-printable or base64 as far as possible. Returns other encodings unchanged."""
    # The field may contain a comment.
    name = _TOKEN.match(encoding)
    match name and name[1].lower():
        case "quoted-printable":
            return binascii.a2b_qp(octets)
        case "base64":
            return _base64(octets)
    return octets


def _base64(octets: bytes) -> bytes:
    """Decodes each base64 section with its own padding. Lines of text added by gateways are kept."""
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
    """Normalises line ends and blanks, and removes invisible characters."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return _BLANK.sub(" ", _INVISIBLE.sub("", _LINE_END.sub("\n", text)))


def unflow(text: str, *, delete_space: bool) -> str:
    """Joins the lines of each paragraph of format=flowed text (RFC 3676), quoted or not."""
    paragraphs: list[list[str]] = []
    open_depth: int | None = None  # quote depth of the paragraph that the next line continues
    for line in text.split("\n"):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")
        is_signature = words == "-- "  # ends in a space, but does not flow (RFC 3676, 4.3)
        if depth != open_depth or is_signature:
            paragraphs.append([f"{'>' * depth} "] if depth else [])
        flows = words.endswith(" ") and not is_signature
        paragraphs[-1].append(words[:-1] if flows and delete_space else words)
        open_depth = depth if flows else None
    return "\n".join(map("".join, paragraphs))


_TOKEN = re.compile(r"\s*([\w-]+)")  # without a comment or parameters (RFC 2045, 6.1)
_WORDS = re.compile(rb"\w[ ,.:;?!]+\w|[_@]")  # never in base64
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")


def _codec(charset: str) -> str:
    if not _CHARSET.fullmatch(charset):
        return "utf-8"
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return "utf-8" if name.replace("_", "-") in _REFUSED else _MEANT.get(name, name)


# Headers

# email.policy.default parses addresses recursively and folds subjects in quadratic time: one letter can cost
# seconds or raise RecursionError. compat32 within these bounds does not.
LETTER = 10 * 1024 * 1024  # bytes; larger letters are refused on delivery
HEADER_BLOCK = 256 * 1024  # bytes
HEADERS = 1_000
HEADER = 8 * 1024  # characters of a header that are read
PARAMETERS = 1024  # characters of a Content-* header that are read
SEMICOLONS = 30  # in Content-* headers: the standard library counts the quotes at each
ENCODED_WORDS = 200
COMMENTS = 20  # brackets in an address header, which may be nested

_END_OF_HEADERS = re.compile(rb"\n\r?\n")
_BARE_RETURN = re.compile(rb"\r(?!\n)")
_FIELD_START = re.compile(rb"^[^ \t\r\n]", re.MULTILINE)
_BLANK_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
_FIELD = re.compile(rb"From |[!-9;-~]+[ \t]*:")  # mbox files begin a letter with "From "


@dataclass(frozen=True)
class Headers:
    """Header fields of a letter or part in order, unfolded, with names in lower case."""

    fields: tuple[tuple[str, str], ...]
    defects: tuple[str, ...] = ()
    cut: frozenset[str] = frozenset()  # names of fields longer than HEADER

    @cached_property
    def _values(self) -> Mapping[str, list[str]]:
        values: dict[str, list[str]] = {}
        for name, value in self.fields:
            values.setdefault(name, []).append(value)
        return values

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(self._values.get(name, ()))

    def get(self, name: str) -> str:
        """Returns the topmost value. Empty when absent."""
        return self._values.get(name, ("",))[0]

    def has(self, *names: str) -> bool:
        return any(name in self._values for name in names)

    def content_type(self) -> str:
        """Returns the type in lower case. `text/plain` when absent or unreadable (RFC 2045, 5.2)."""
        kind = self.get("content-type").split(";", 1)[0].strip().lower()
        return kind if kind.count("/") == 1 else "text/plain"

    def parameter(self, field: str, name: str) -> str:
        """Returns a parameter such as boundary or charset, decoded by RFC 2231. Empty when absent or
        unreadable."""
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
    """Reads the headers at `start`. Returns them, with defects when they exceed the bounds, and the body's
    offset."""
    end = len(raw) if end is None else end
    if start == 0:  # some forwarding programs add a blank line
        start = len(raw) - len(raw.lstrip(b"\r\n"))
    reach = min(end, start + HEADER_BLOCK)
    if raw.startswith((b"\n", b"\r\n"), start):
        return Headers(()), min(end, raw.index(b"\n", start) + 1)
    blank = _END_OF_HEADERS.search(raw, start, reach)
    stop = blank.end() if blank else reach
    defects = ("header block too long",) if blank is None and reach < end else ()
    if _BARE_RETURN.search(raw, start, stop):  # programs differ on whether a line ends there
        defects = (*defects, "bare carriage return")
    cut, why = _first_bad_field(raw[start:stop])
    if why:
        stop, defects = start + cut, (*defects, why)
    block = _BLANK_BEFORE_COLON.sub(rb"\1:", raw[start:stop])  # the standard library would stop here
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
    """Decodes a header to one line. The flag is False when its encoded words are broken."""
    value = value[:HEADER]
    if value.count("=?") > ENCODED_WORDS:
        return _flat(value), False
    try:
        words = decode_header(value)
    except (ValueError, MessageError):  # broken base64
        return _flat(value), False
    return _flat("".join(_word(word, charset) for word, charset in words)), True


def mailboxes(value: str) -> tuple[str, ...]:
    """Returns the addresses of an address header in lower case, without those in names and comments."""
    return tuple(dict.fromkeys(_addresses(outside(value))))


def hides_mailboxes(value: str) -> bool:
    """Tells whether other programs may read another mailbox in the header."""
    # An unclosed quotation mark or bracket, or an @ that is in no address found.
    bare = outside(value)
    return "@" in value and (not bare or bare.count("@") != len(_addresses(bare)))


def outside(value: str) -> str:
    """Returns an address header without quoted strings and comments. Empty when one of them is unclosed."""
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
    # The Kelvin sign becomes a k in lower case, which is another mailbox.
    words = (word.lower() for word in _BETWEEN_ADDRESSES.split(bare) if "\u212a" not in word)
    return [word for word in words if _ADDRESS.fullmatch(word)]


def display_name(value: str) -> str:
    """Returns the name before the first address. Empty when there is none."""
    name, bracket, _ = value[:HEADER].partition("<")
    return one_line(name.strip().strip('"'))[0] if bracket else ""


_TOKENS = re.compile(r'\\.|["()\\]|[^"()\\]+', re.DOTALL)
_BETWEEN_ADDRESSES = re.compile(r"[\s<>,;]+")
_ADDRESS = re.compile(r"(?!=\?)[^@:()\[\]\\]{1,200}@[^@:()\\]{1,255}")


def _first_bad_field(block: bytes) -> tuple[int, str]:
    """Returns the offset where the headers end early, and the reason. (0, "") when they do not."""
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
    if charset is None:  # text between encoded words, in the encoding of decode_header
        return word.decode("raw_unicode_escape", "replace")
    return decode(word, charset)


def _flat(value: str) -> str:
    """Returns one line without control characters, safe for a header or a log."""
    return " ".join(clean(value).split())


NESTING = 20
PARTS = 1_000
# Octets searched for boundaries, over all levels of nesting.
SEARCHED = 2 * LETTER
HEADER_BLOCKS = 512 * 1024  # octets of all parts' headers
FIELDS = 5 * PARTS  # of all parts
_LETTER = ("content-type", "message/rfc822")  # default type of a digest's parts (RFC 2046, 5.1.5)


class TooComplex(ValueError):
    """The letter has more parts, or deeper nesting, than any mail program produces."""


@dataclass(frozen=True)
class Part:
    """A leaf part; its encoded octets are raw[start:end]."""

    headers: Headers
    start: int
    end: int

    @property
    def kind(self) -> str:
        return self.headers.content_type()

    def is_attachment(self) -> bool:
        """Tells whether the part is a named file or an attachment."""
        file_name = self.headers.parameter("content-disposition", "filename")
        return bool(
            self._disposition == "attachment" or file_name or self.headers.parameter("content-type", "name")
        )

    def is_shown(self) -> bool:
        """Tells whether a named file is displayed with the letter."""
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
        """Counts the headers of one more part. Raises TooComplex."""
        self.headers += octets
        self.fields += len(headers.fields)
        if self.headers > HEADER_BLOCKS or self.fields > FIELDS:
            raise TooComplex(f"{self.fields} headers of parts, {self.headers} octets")


def leaves(raw: bytes, headers: Headers, start: int) -> Iterator[Part]:
    """Yields the leaf parts in reading order. Embedded letters are not opened. Raises TooComplex."""
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
    if not inside:  # no delimiter found: read as plain text
        fields = tuple((name, value) for name, value in part.headers.fields if name != "content-type")
        yield Part(Headers(fields), part.start, part.end)


def _between(raw: bytes, start: int, end: int, boundary: bytes) -> Iterator[tuple[int, int]]:
    """Yields the spans between the delimiter lines. The closing delimiter may be missing."""
    delimiter = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t]{0,80}+\r?(?:\n|\Z)")
    begin: int | None = None
    at = start - 1  # includes the line end before the body
    while found := delimiter.search(raw, at, end):
        if begin is not None:
            yield begin, _before_line_end(raw, begin, found.start() + 1)
        if found[1]:
            return
        begin = found.end()
        at = begin - 1  # consecutive delimiters may share a line end
    if begin is not None and begin < end:
        yield begin, end


def _before_line_end(raw: bytes, begin: int, at: int) -> int:
    """Excludes the line end before a delimiter, which belongs to it (RFC 2046, 5.1.1)."""
    return max(begin, at - (2 if raw[at - 2 : at] == b"\r\n" else 1))
