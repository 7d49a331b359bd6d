"""Reads a letter: its headers and new text, or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import (
    LETTER,
    Part,
    TooComplex,
    clean,
    decode,
    too_complex,
    undo_transfer_encoding,
    unflow,
)
from pbem.mail.parsing.reply_text import NewText, Page, split_text
from pbem.mail.parsing.vocabulary import RECALLS, any_of
from pbem.refusals import Code

TEXT = 256 * 1024  # octets of the chosen text part, decoded
NEW_TEXT = 16 * 1024  # characters of new text
NEW_LINES = 400
HTML = 128 * 1024  # characters; the quoted letter comes last
CANDIDATES = 10  # text parts that are read, as between pictures


@dataclass(frozen=True)
class Letter:
    """A parsed letter. `lines` is the sender's text without quotations and signature."""

    summary: HeaderSummary
    lines: tuple[str, ...]
    verdict: str | None  # T02, T03, I10, P01 to P05, P09 to P11; None when there is text
    defects: tuple[str, ...]
    signature: tuple[str, ...] = ()  # lines below the signature mark
    wrapped: frozenset[int] = frozenset()  # lines that seem to continue the one above
    below: tuple[tuple[int, str], ...] = ()  # lines right below a quoted message of a player, with its text


def read_letter(mail: ParsedMail, *, sent: str | None = None) -> Letter:
    """Parses any message. `sent` is the text of the letter that it answers, when known."""
    raw, seen = mail.raw, mail.summary
    if len(raw) > LETTER:
        return Letter(seen, (), Code.TOO_LARGE, seen.defects)
    if too_complex(mail.headers):
        return Letter(seen, (), Code.TOO_COMPLEX, seen.defects)
    try:
        parts = mail.parts
    except TooComplex as error:
        return Letter(seen, (), Code.TOO_COMPLEX, (*seen.defects, str(error)))
    text, verdict, defects = _text(raw, parts)
    if parts and _is_sealed(parts[0]):  # text that a mailing list adds below does not count
        text, verdict = "", _why_sealed(raw, parts)
    new = NewText(())
    if verdict is None:
        new, verdict = _new(text, sent, _page(raw, parts))
    return Letter(seen, new.lines, verdict, (*seen.defects, *defects), new.signature, new.wrapped, new.below)


def text_of_letter(mail: ParsedMail) -> str:
    """Returns the full text of a letter of ours, or of a file without From."""
    if not mail.headers.has("from"):
        return clean(decode(mail.raw, "utf-8"))
    return _text(mail.raw, mail.parts)[0]


def _text(raw: bytes, parts: tuple[Part, ...]) -> tuple[str, str | None, tuple[str, ...]]:
    """Returns the text, the verdict when there is none, and the defects.

    Text parts around a picture are joined. A named file counts only when there is no other text.
    """
    defects: list[str] = []
    shown = [part for part in parts if not part.is_attachment()]
    named = [part for part in parts if part.is_attachment() and (part.is_shown() or part.headers.has("from"))]
    kinds_first = _TEXT_KINDS[::-1] if any(_has_struck_out(raw, part) for part in shown) else _TEXT_KINDS
    for among in (shown, named):
        for kinds in kinds_first:
            found = [part for part in among if part.kind in kinds][:CANDIDATES]
            text, verdict = _joined(raw, found, defects)
            if text or verdict:
                return text, verdict, tuple(defects)
    if why := _why_sealed(raw, parts):
        return "", why, tuple(defects)
    if parts and all(part.kind == "text/calendar" for part in parts):
        return "", Code.CALENDAR_ONLY, tuple(defects)
    only_text = all(part.kind in _ALL_KINDS for part in parts) and len(shown) == len(parts)
    return "", Code.EMPTY if only_text else Code.NO_TEXT, tuple(defects)


def _is_sealed(part: Part) -> bool:
    """Tells whether the part is encrypted or signed within (S/MIME, RFC 8551, 3.5.2)."""
    named = (
        part.headers.parameter("content-type", "name"),
        part.headers.parameter("content-disposition", "filename"),
    )
    return part.kind in _SEALED_KINDS or any(name.lower().endswith(".p7m") for name in named)


def _why_sealed(raw: bytes, parts: Iterable[Part]) -> str | None:
    part = next(filter(_is_sealed, parts), None)
    if part is None:
        return None
    said = part.headers.parameter("content-type", "smime-type").lower()
    encoding = part.headers.get("content-transfer-encoding")
    begin = undo_transfer_encoding(raw[part.start : min(part.end, part.start + _BEGIN)], encoding)
    return Code.SIGNED_WITHIN if said == "signed-data" or _SIGNED_DATA in begin else Code.ENCRYPTED


def _joined(raw: bytes, parts: Iterable[Part], defects: list[str]) -> tuple[str, str | None]:
    """Joins the parts without repetitions. Returns the text, and a verdict when it is unreadable."""
    texts: list[str] = []
    for part in parts:
        if sum(map(len, texts)) > TEXT // 2:
            defects.append("text cut")
            break
        text = _decoded(raw, part, defects)
        if _ENCRYPTED.search(text):
            return "", Code.ENCRYPTED
        if _unreadable(text):
            return "", Code.UNREADABLE
        if text.strip() and text not in texts:
            texts.append(text)
    return "\n".join(texts), None


def _new(text: str, sent: str | None, page: Page | None) -> tuple[NewText, str | None]:
    new = split_text(_unsigned(text), sent, page)
    if not new.lines:
        return new, Code.QUOTED_ONLY
    if _RECALLS.fullmatch(" ".join(filter(None, map(str.strip, new.lines)))):
        return NewText(()), Code.RECALLED
    lengths = accumulate(map(len, new.lines))
    fit = sum(1 for number, length in enumerate(lengths) if number < NEW_LINES and length <= NEW_TEXT)
    new = replace(new, signature=new.signature[:NEW_LINES])
    if fit == len(new.lines):
        return new, None
    return replace(new, lines=new.lines[:fit] or (new.lines[0][:NEW_TEXT],)), Code.TOO_LONG


def _page(raw: bytes, parts: tuple[Part, ...]) -> Page | None:
    """Returns the HTML alternative of a plain text. None unless there is exactly one."""
    shown = [part for part in parts if not part.is_attachment()]
    pages = [part for part in shown if part.kind == "text/html"]
    plain = any(part.kind == "text/plain" for part in shown)
    return Page(lambda: _decoded(raw, pages[0], [])) if plain and len(pages) == 1 else None


def _has_struck_out(raw: bytes, part: Part) -> bool:
    if part.kind != "text/html":
        return False
    encoding = part.headers.get("content-transfer-encoding")
    page = undo_transfer_encoding(raw[part.start : min(part.end, part.start + TEXT)], encoding)
    return _STRUCK_OUT.search(page) is not None


# In order of preference
_TEXT_KINDS = (("text/plain",), ("text/markdown",), ("text/enriched", "text/richtext"), ("text/html",))
_ALL_KINDS = {kind for kinds in _TEXT_KINDS for kind in kinds}
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")  # the object identifier (RFC 5652, 5.1)
_BEGIN = 400  # octets that are searched for it
_SEALED_KINDS = {"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"}
_ENCRYPTED = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)
_SIGNED = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z][A-Za-z-]{0,30}: [^\n]{1,80}\n)*\n")
_RECALLS = any_of(RECALLS, after=r"(,? ?[\"“].{0,400}[\"”])?\.?")
_STRUCK_OUT = re.compile(rb"<(?:s|del|strike)[\s>]|line-through", re.IGNORECASE)
_REPLACED = "\ufffd"


def _decoded(raw: bytes, part: Part, defects: list[str]) -> str:
    """Decodes a text part: transfer encoding, charset, HTML and flowed lines."""
    encoded = raw[part.start : min(part.end, part.start + 3 * TEXT)]
    octets = undo_transfer_encoding(encoded, part.headers.get("content-transfer-encoding"))
    if len(octets) > TEXT or len(encoded) < part.end - part.start:
        defects.append("text cut")
        octets = octets[:TEXT].rpartition(b"\n")[0] or octets[:TEXT]
    text = clean(decode(octets, part.headers.parameter("content-type", "charset")))
    if part.kind == "text/html":
        from pbem.mail.parsing.hypertext import text_of  # noqa: PLC0415 - most letters have plain text

        return clean(text_of(text[:HTML]))
    if part.kind in ("text/enriched", "text/richtext"):
        return _enriched(text)
    if part.kind == "text/markdown":
        return _unescaped(text)
    if part.headers.parameter("content-type", "format").lower() == "flowed":
        delete_space = part.headers.parameter("content-type", "delsp").lower() == "yes"
        return unflow(text, delete_space=delete_space)
    return text


def _unsigned(text: str) -> str:
    """Returns the text within an inline PGP signature (RFC 9580, 7)."""
    begin = _SIGNED.search(text)
    if begin is None:
        return text
    signed = text[begin.end() :].partition("\n-----BEGIN PGP SIGNATURE-----")[0]
    return "\n".join(line.removeprefix("- ") for line in signed.split("\n"))


def _unreadable(text: str) -> bool:
    """Tells whether at least a tenth of the text are replacement characters."""
    return text.count(_REPLACED) * 10 > len(text)


# text/enriched (RFC 1896) and text/markdown (RFC 7763)

_PARAMETER = re.compile(r"<param>[^<]{0,1000}</param>", re.IGNORECASE)
_TAG = re.compile(r"<<|</?[a-z][a-z0-9-]{0,60}>", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\n+")
_NOT_FILLED = re.compile(r"</?nofill>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def _enriched(text: str) -> str:
    """Returns the text of text/enriched: one line end is a space, n line ends are n - 1."""
    pieces = _NOT_FILLED.split(_PARAMETER.sub("", text))
    pieces[1::2] = [piece.replace("\n", "\n\n") for piece in pieces[1::2]]
    filled = _LINE_ENDS.sub(lambda found: "\n" * (len(found[0]) - 1) or " ", "".join(pieces).strip("\n"))
    return _TAG.sub(lambda found: "<" if found[0] == "<<" else "", filled)


def _unescaped(text: str) -> str:
    """Removes Markdown backslash escapes."""
    # `b1\-b3`
    return _ESCAPED.sub(r"\1", text)
