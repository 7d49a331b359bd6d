"""Removes closings, signatures, contact blocks and notices from the end of emails."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from pbem.inbox.commands.verbs import ADDRESSING_US, CONFIRMING, COURTESIES, REFUSING, SALUTATIONS, VERBS_OF
from pbem.wording import fold, wording

# Contact blocks, footers of mail programs, and legal notices

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
_MOST_CONTACT_WORDS = 8  # of a line of such a block
_MOST_LINES = 7
_LONGEST_NAME, _SHORTEST_NAME = 4, 2  # words
_LONGEST_TITLE = 4  # words
_LONGEST_PROGRAM = 9  # words
_FEWEST_NOTICES, _SHORTEST_NOTICE = 3, 12  # legal terms of a notice; words in all


def without_contacts(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the lines before the last contact block, footer or notice; all lines when there is none."""
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
        if _is_contact_name(lines[at]) and _is_block(lines[at + 1 :]):
            return lines[:at]
    return lines


def _paragraph(lines: Sequence[str], last: int) -> int:
    """Returns where the paragraph of this line begins."""
    return next((at + 1 for at in range(last, -1, -1) if not lines[at].strip()), 0)


def _is_program(line: str) -> bool:
    return len(line.split()) <= _LONGEST_PROGRAM and "?" not in line and bool(_PROGRAM.match(line))


def _is_notice(text: str) -> bool:
    if _GREEN.match(text):
        return True
    said = {found.casefold() for found in _NOTICE.findall(text)}
    return len(text.split()) >= _SHORTEST_NOTICE and len(said) >= _FEWEST_NOTICES


def _is_block(lines: Sequence[str]) -> bool:
    """Whether the lines below a name are short contacts or titles, and at least one is a contact."""
    said = [line.strip() for line in lines if line.strip()]
    kinds = [_is_contact(line) for line in said]
    plain = all(kind or _is_title(line) for kind, line in zip(kinds, said, strict=True))
    return any(kinds) and plain and all(len(line.split()) <= _MOST_CONTACT_WORDS for line in said)


def _is_contact(line: str) -> bool:
    words = line.split()
    street = any(fold(word.strip(",")) in _STREETS for word in words) and any(map(str.isdigit, line))
    return bool(_CONTACT.fullmatch(line) or _POSTCODE.fullmatch(line)) or street


def is_below_name(line: str) -> bool:
    """Whether the line is a title or a contact, as written below a name."""
    said, words = line.strip(), line.split()
    titled = (
        len(words) > 1 and fold(words[0]) not in CONFIRMING | REFUSING | set(VERBS_OF) and _is_title(said)
    )
    return len(words) <= _MOST_CONTACT_WORDS and (bool(_is_contact(said)) or titled)


def _is_title(line: str) -> bool:
    """Matches `Senior Analyst`, `Head of Sales`, `ACME Ltd.`."""
    words = _NAMED.findall(line)
    if not words or _is_said(words) or line.endswith(("?", "!")):
        return False
    known = any(fold(word.rstrip(".")) in _COMPANIES or fold(word) in _COMPANIES for word in words)
    brief = len(words) <= _LONGEST_TITLE and words[0][0].isupper() and line[-1].isalpha()
    return known or brief or all(word[0].isupper() for word in words)


def _is_contact_name(line: str) -> bool:
    words = line.split()
    if not _SHORTEST_NAME <= len(words) <= _LONGEST_NAME or not all(map(_NAMED.fullmatch, words)):
        return False
    return all(word[0].isupper() for word in words) and not _is_said(words)


def _is_said(words: Sequence[str]) -> bool:
    """Whether the words may be a command."""
    return bool(words) and words[0].isupper() and fold(words[0]) in CONFIRMING | REFUSING | set(VERBS_OF)


_HAILING = _WORDS.words("hailing")
_CLOSING = _WORDS.words("closing")
_BESIDE_CLOSING = _WORDS.words("beside_closing")
_ABOVE_A_NAME = _HAILING | _CLOSING | _BESIDE_CLOSING | COURTESIES
_BESIDE_US = ADDRESSING_US | SALUTATIONS | _HAILING | _WORDS.words("beside_us")
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 5  # of a line that is a greeting and a name
_MOST_NAMES = 4  # words of a name, and lines of it and of a title below a closing
_SHORTEST = 3  # letters that a name and its short form share: Tom, Tommaso
_SIGNS = re.compile(r"[\w\s.,;:!~*–—-]*")


def unsigned(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Returns the lines without a closing, the writer's name with its greeting, and contact blocks."""
    own = {fold(word) for name in names for word in _WORD.findall(name)}
    left = tuple(lines)
    while (shorter := without_contacts(_without_closing(_without_name(left, own), own))) != left:
        left = shorter
    return left


def _without_name(lines: tuple[str, ...], own: Collection[str]) -> tuple[str, ...]:
    written = [at for at, line in enumerate(lines) if line.strip()]
    if not own or not written or not _is_signature(lines[written[-1]], own):
        return lines
    ends = written.pop()
    if written and _greets(lines[written[-1]]):
        ends = written.pop()
    return lines[:ends]


def _without_closing(lines: tuple[str, ...], own: Collection[str]) -> tuple[str, ...]:
    """Removes a closing with only a name, a title and contacts below it."""
    written = [at for at, line in enumerate(lines) if line.strip()]
    last = written[-_MOST_NAMES - 1 :]
    for at in reversed(last):
        below = [lines[each] for each in written if each > at]
        if _closes(lines[at]) or (below and _thanks(lines[at]) and _is_full_name(below[0])):
            return lines[:at]
        if at == last[0] or not (
            _is_signature(lines[at], own) or _is_name(_WORD.findall(lines[at])) or is_below_name(lines[at])
        ):
            break
    return lines


def hails(text: str, names: Collection[str]) -> bool:
    """Whether the text is only a greeting with these names; not `Hi Ben!`."""
    words = {fold(word) for word in _WORD.findall(text)}
    called = {fold(word) for name in names for word in _WORD.findall(name)}
    return bool(words & called) and words <= _HAILING | called and not text.rstrip().endswith("!")


def addresses_us(line: str) -> bool:
    """Whether the line is only a salutation: `Dear Sir or Madam,`."""
    words = {fold(word) for word in _WORD.findall(line)}
    return not words.isdisjoint(ADDRESSING_US) and words <= _BESIDE_US and not line.rstrip().endswith("!")


def _greets(line: str) -> bool:
    """Whether the line is only what stands above a signature."""
    words = {fold(word) for word in _WORD.findall(line)}
    return bool(words) and words <= _ABOVE_A_NAME and not line.rstrip().endswith("!")


def _closes(line: str) -> bool:
    """Whether the line is only a closing, with or without a name: `Kind regards, Tom`; not `Cheers!`."""
    if not _SIGNS.fullmatch(line) or line.rstrip().endswith("!"):
        return False
    words = _WORD.findall(line)
    formula = list(takewhile(lambda word: fold(word) in _CLOSING | _BESIDE_CLOSING, words))
    others = words[len(formula) :]
    return any(fold(word) in _CLOSING for word in formula) and (not others or _is_name(others))


def _thanks(line: str) -> bool:
    """Whether the line is only a courtesy with a comma: `Thanks,`."""
    words = {fold(word) for word in _WORD.findall(line)}
    return bool(words) and words <= COURTESIES and line.rstrip().endswith(",")


def _is_full_name(line: str) -> bool:
    words = _WORD.findall(line)
    return len(words) > 1 and _is_name(words)


def _is_name(words: Sequence[str]) -> bool:
    """Whether the words look like a name, and are no command."""
    known = CONFIRMING | REFUSING | set(VERBS_OF)
    return 0 < len(words) <= _MOST_NAMES and all(
        word.istitle() and word.isalpha() and fold(word) not in known for word in words
    )


def _is_signature(line: str, own: Collection[str]) -> bool:
    words = _WORD.findall(line)
    if not 0 < len(words) <= _MOST_WORDS or not _SIGNS.fullmatch(line) or line.rstrip().endswith("!"):
        return False
    named = [word for word in words if fold(word) not in _HAILING]
    return bool(named) and all(_is_own(word, own) for word in named)


def _is_own(word: str, own: Collection[str]) -> bool:
    said = fold(word)
    if said in CONFIRMING | REFUSING or (said in VERBS_OF and word.isupper()):
        return False
    if said in own or (len(said) == 1 and any(name.startswith(said) for name in own)):
        return True
    return word.istitle() and len(said) >= _SHORTEST and any(_is_short_for(said, name) for name in own)


def _is_short_for(said: str, name: str) -> bool:
    short, long = sorted((said, name), key=len)
    return len(short) >= _SHORTEST and long.startswith(short)
