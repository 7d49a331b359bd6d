"""Recognises the wish for no more mail in free wording: `No more emails, please`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import islice, pairwise

from pbem.inbox.understanding.answers import agrees
from pbem.inbox.understanding.normalization import without_courtesy
from pbem.intents import Bar, has_intent
from pbem.wording import fold, primitive, wording

_WORDS = wording(__package__)
_MOST_LINES = 24  # of a message; more is a newsletter
_LONGEST = 240  # characters of a line
_CLAUSE = re.compile(r"[,.;:!…]+(?:\s+|$)|\s+[-–—]+\s+|(?<=\?)\s+")
_LINK = re.compile(r"://|www\.", re.IGNORECASE)


def wants_no_letters(lines: Iterable[str]) -> bool:
    """Whether the message asks for no more mail, and does not say yes."""
    written = [line for line in lines if line.strip()]
    if len(written) > _MOST_LINES or any(map(_LINK.search, written)):
        return False
    clauses = [
        clause for line in islice(written, _MOST_LINES) for clause in _CLAUSE.split(line[:_LONGEST]) if clause
    ]
    if has_intent("STOP", " ".join(map(str.strip, written)), bar=Bar.CERTAIN):
        return True
    agrees, plays = _WORDS.words("yes_first"), tuple(f"{way} " for way in _WORDS.words("they_play"))
    said = [f"{_level(clause)} " for clause in clauses]
    return any(map(_says_so, clauses)) and not any(
        each.strip() in agrees or each.startswith(plays) for each in said
    )


def beside_farewell(lines: Iterable[str]) -> list[str]:
    """Returns the lines without the clauses that ask for no more mail, or answer."""
    return [kept for line in islice(lines, _MOST_LINES) if (kept := _kept(line))]


def _kept(line: str) -> str:
    ends = [0, *(found.end() for found in _CLAUSE.finditer(line)), len(line)]
    pieces = (line[start:end] for start, end in pairwise(ends))
    return "".join(each for each in pieces if not _says_so(each) and agrees(each) is None).strip()


def means_all(lines: Iterable[str]) -> bool:
    """Whether the answer to the list of sorts of letters is: all of them."""
    first = next((line for line in lines if line.strip()), "")
    clause = without_courtesy(next(iter(_CLAUSE.split(first[:_LONGEST])), ""))
    return _level(clause) in _WORDS.words("farewell", "everything")


def _says_so(clause: str) -> bool:
    level = _level(clause)
    if "?" in clause and not level.startswith(tuple(_WORDS.words("farewell", "begging"))):
        return False
    found = _pattern().fullmatch(level)
    return bool(found) and not _WORDS.words("farewell", "unless").intersection(level.split())


@cache
def _pattern() -> re.Pattern[str]:
    whole, of_letters, letters = map(_either, ("whole", "of_letters", "letters"))
    along, beside = (_any_of(*keys) for keys in (["along"], ["along", "letters"]))
    said = rf"(?:{whole})|(?:{of_letters})(?: (?:{along})(?= ))*+ (?:{letters})"
    return re.compile(rf"(?:.* )?(?=\S)(?:{said})(?: (?:{beside})(?= |$))*+")


def _either(key: str) -> str:
    return "|".join(map(re.escape, sorted(map(_level, _WORDS.words("farewell", key)), key=len, reverse=True)))


def _any_of(*keys: str) -> str:
    """Builds alternatives for a possessive repetition."""
    words = [_level(word) for key in keys for word in _WORDS.words("farewell", key)]
    return "|".join(map(re.escape, primitive(words)))


def _level(text: str) -> str:
    return " ".join(fold(word.replace("’", "'")) for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text))
