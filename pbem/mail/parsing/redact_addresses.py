"""Removes e-mail addresses and secret links from players' messages, and extracts text to search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import NESTING, Part, TooComplex, decode, one_line, undo_transfer_encoding

LONGEST = 2_000  # characters
LONGEST_TO_STRANGERS = 500
CUT = "[…]"
_SEARCHED = 20 * LONGEST  # limit before redaction

# Does not match e2-e4@d6, a move of trapdoor chess.
_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})(?![\w@])", re.IGNORECASE
)

# Text that mail programs turn into links.
_LINK = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,20}:/{0,2}(?=\w)|\bwww\.)\S+|(?<![\w.-])(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?:[/?#:]\S*|(?!\w))",
    re.IGNORECASE,
)

# The secret of our reply addresses and links: 32 characters that begin with the version (1 or 2, see
# pbem.players.tokens), each plain, percent-encoded or quoted-printable, with line breaks and quote marks
# anywhere.
_SIGN = r"(?:[A-Z2-7]|(?:%(?:25){0,3}|=)(?:3[2-7]|[46][1-9A-F]|[57][0-9A]))"
_BREAK = r"(?:[ \t]{0,8}=?[ \t]{0,8}\r?\n[ \t>|]{0,20}|[\u00ad\u200b\u2060\ufeff])"
_BEGINS = r"(?:(?<![A-Z2-7])|(?<=[%=]2[0-9A-F])|(?<=[%=]3[AD])|(?<=%252[0-9A-F])|(?<=%25252[0-9A-F]))"
_TOKEN = re.compile(rf"{_BEGINS}(?:{_SIGN}{_BREAK}?+){{31}}+{_SIGN}(?!{_SIGN})", re.IGNORECASE)
_API_TOKEN = re.compile(r"pbem_[A-Z2-7]{40}", re.IGNORECASE)  # pbem.players.api_tokens
_SECRET = re.compile(r"[C-F][A-Z2-7]{31}", re.IGNORECASE)
_DOMAIN = re.compile(
    rf"(?:{_BREAK}?(?:@|%(?:25){{0,3}}40|=40|&#(?:64|x40);))?[^\s<>\"'()\[\]]{{0,300}}", re.IGNORECASE
)
_BETWEEN_WORDS = frozenset(" \t\r\n<>\"'()[]")
_BETWEEN_LINES = " \t\r\n>|="


def relayed(text: str) -> str:
    """Redacts a message for the other player."""
    return _page(_without_addresses(text), LONGEST)


def relayed_to_stranger(text: str) -> str:
    """Redacts a message for a person who is not a player: shorter, and without links."""
    return _page(_LINK.sub(CUT, _without_addresses(text)), LONGEST_TO_STRANGERS)


def _without_addresses(text: str) -> str:
    return _ADDRESS.sub(CUT, without_secrets(text[:_SEARCHED]).rstrip().lstrip("\n"))


def _page(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    page = text[: longest - len(CUT) - 1]
    whole_words = page.rsplit(maxsplit=1)[0] if page[-1:].strip() and " " in page else page
    return f"{whole_words.rstrip()} {CUT}"


def without_secrets(text: str) -> str:
    """Removes our addresses, links and tokens that authorise actions for a player."""
    text = without_api_tokens(text)
    kept: list[str] = []
    begin = 0
    for token in _TOKEN.finditer(text):
        if token.start() < begin or not _SECRET.fullmatch(_plain(token[0])):
            continue
        end_of_head = _begin_of_word(text, begin, token.start())
        if "\n" in token[0] and end_of_head == token.start():
            continue  # a column of line ends: a secret has the rest of its address before it
        after = _DOMAIN.match(text, token.end())
        kept += [text[begin:end_of_head], CUT]
        begin = after.end() if after else token.end()
    return "".join([*kept, text[begin:]])


def without_api_tokens(text: str) -> str:
    return _API_TOKEN.sub(f"pbem_{CUT}", text)


def _begin_of_word(text: str, begin: int, end: int) -> int:
    """Finds the start of the address or link that continues at `end`, possibly on the line above."""
    word = _back(text, begin, end)
    above = begin + len(text[begin:word].rstrip(_BETWEEN_LINES))
    broken = "\n" in text[above:word] and text[begin:above][-1:] in ("/", ":", "+", "@", "%", "-", ".", "_")
    return _back(text, begin, above) if broken else word


def _back(text: str, begin: int, end: int) -> int:
    while end > begin and text[end - 1] not in _BETWEEN_WORDS:
        end -= 1
    return end


def _plain(token: str) -> str:
    """Decodes the secret."""
    text = re.sub("=(?=[0-9A-Fa-f]{2})", "%", re.sub(_BREAK, "", token))
    for _ in range(4):
        text = unquote(text)
    return text


# Text search

_PICTURES = ("image", "audio", "video")


def every_text(raw: bytes, depth: int = 0) -> Iterator[str]:
    """Yields all texts of a letter: raw, headers, parts except media, and embedded letters.

    Parts of a letter that is too complex are skipped.
    """
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
