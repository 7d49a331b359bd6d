"""What stands below emails by itself: a name with its street and telephone, the program that sent it, what a company
has to say. None of it is said to anybody."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.inbox.commands.words import CONFIRMING, REFUSING, VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_PROGRAM = re.compile(rf"\W*(?:{_WORDS.either('below', 'programs')})\b", re.IGNORECASE)
_GREEN = re.compile(rf"\W*.{{0,40}}(?:{_WORDS.either('below', 'green')})", re.IGNORECASE)
_NOTICE = re.compile(rf"\b(?:{_WORDS.either('below', 'notices')})\b", re.IGNORECASE)
_CONTACT = re.compile(
    rf"\W*+(?:(?:{_WORDS.either('below', 'contacts')})\b.*[0-9@:].*"
    r"|(?:https?://|www\.)\S+|\S+@\S+|\+?[0-9][0-9 ()./-]{6,})\s*",
    re.IGNORECASE,
)
_STREETS, _COMPANIES = _WORDS.words("below", "streets"), _WORDS.words("below", "companies")
_POSTCODE = re.compile(r"\W*(?:[A-Z]{1,2}-)?[0-9]{5}\s+[^\W\d_].*")
_NAMED = re.compile(r"[^\W\d_][\w.'’-]*")
_MOST_WORDS = 8  # of a line of such a block
_MOST_LINES = 7
_LONGEST_NAME, _SHORTEST_NAME = 4, 2  # words
_LONGEST_TITLE = 4  # words
_LONGEST_PROGRAM = 9  # words
_FEWEST_NOTICES, _SHORTEST_NOTICE = 3, 12  # words for a notice, words of it


def without_contacts(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines before the last such block; all of them where there is none."""
    written = [at for at, line in enumerate(lines) if line.strip()]
    if len(written) < 2:
        return lines
    if _is_program(lines[written[-1]]):
        return lines[: written[-1]]
    begins = _paragraph(lines, written[-1])
    if begins > written[0] and _is_notice(" ".join(lines[begins:])):
        return lines[:begins]
    below = [at for at in written[-_MOST_LINES:] if at > written[0]]
    together = [at for at in below if at >= begins]
    for at in (*together, *reversed(below)):
        if _is_name(lines[at]) and _is_block(lines[at + 1 :]):
            return lines[:at]
    return lines


def _paragraph(lines: Sequence[str], last: int) -> int:
    """Where the paragraph begins that has this line."""
    return next((at + 1 for at in range(last, -1, -1) if not lines[at].strip()), 0)


def _is_program(line: str) -> bool:
    return len(line.split()) <= _LONGEST_PROGRAM and "?" not in line and bool(_PROGRAM.match(line))


def _is_notice(text: str) -> bool:
    if _GREEN.match(text):
        return True
    said = {found.casefold() for found in _NOTICE.findall(text)}
    return len(text.split()) >= _SHORTEST_NOTICE and len(said) >= _FEWEST_NOTICES


def _is_block(lines: Sequence[str]) -> bool:
    """Below a name: short lines, each a telephone, a street, an address, or names again, and one no name."""
    said = [line.strip() for line in lines if line.strip()]
    kinds = [_is_contact(line) for line in said]
    plain = all(kind or _is_title(line) for kind, line in zip(kinds, said, strict=True))
    return any(kinds) and plain and all(len(line.split()) <= _MOST_WORDS for line in said)


def _is_contact(line: str) -> bool:
    words = line.split()
    street = any(fold(word.strip(",")) in _STREETS for word in words) and any(map(str.isdigit, line))
    return bool(_CONTACT.fullmatch(line) or _POSTCODE.fullmatch(line)) or street


def is_below_name(line: str) -> bool:
    """Whether it is what people write between their name and the end: a title, or how to reach them."""
    said, words = line.strip(), line.split()
    titled = (
        len(words) > 1 and fold(words[0]) not in CONFIRMING | REFUSING | set(VERBS_OF) and _is_title(said)
    )
    return len(words) <= _MOST_WORDS and (bool(_is_contact(said)) or titled)


def _is_title(line: str) -> bool:
    """`Senior Analyst`, `Head of Sales`, `ACME Ltd.`: a few words with a capital at the front, or a company's."""
    words = _NAMED.findall(line)
    if not words or _is_said(words) or line.endswith(("?", "!")):
        return False
    known = any(fold(word.rstrip(".")) in _COMPANIES or fold(word) in _COMPANIES for word in words)
    brief = len(words) <= _LONGEST_TITLE and words[0][0].isupper() and line[-1].isalpha()
    return known or brief or all(word[0].isupper() for word in words)


def _is_name(line: str) -> bool:
    words = line.split()
    if not _SHORTEST_NAME <= len(words) <= _LONGEST_NAME or not all(map(_NAMED.fullmatch, words)):
        return False
    return all(word[0].isupper() for word in words) and not _is_said(words)


def _is_said(words: Sequence[str]) -> bool:
    """Whether they may be a command."""
    return bool(words) and words[0].isupper() and fold(words[0]) in CONFIRMING | REFUSING | set(VERBS_OF)
