"""The name below an email: who signs with their own says nothing with it, to us or to anybody."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.inbox.commands.words import CONFIRMING, REFUSING, VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_HAILING = _WORDS.words("hailing")
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 5  # of a line that is a greeting and a name
_SHORTEST = 3  # letters that a name and its short form share: Tom, Tommaso
_SIGNS = re.compile(r"[\w\s.,;:!~*–—-]*")


def unsigned(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """The lines without the last, if that is the writer's name, and without the greeting right above it."""
    own = {fold(word) for name in names for word in _WORD.findall(name)}
    written = [at for at, line in enumerate(lines) if line.strip()]
    if not own or not written or not _is_signature(lines[written[-1]], own):
        return tuple(lines)
    ends = written.pop()
    if written and _closes(lines[written[-1]]):
        ends = written.pop()
    return tuple(lines[:ends])


def hails(text: str, names: Collection[str]) -> bool:
    """Whether it is nothing but a greeting with these names, as letters begin; `Hi Ben!` is said."""
    words = {fold(word) for word in _WORD.findall(text)}
    called = {fold(word) for name in names for word in _WORD.findall(name)}
    return bool(words & called) and words <= _HAILING | called and not text.rstrip().endswith("!")


def _closes(line: str) -> bool:
    """Whether it is nothing but what stands above a signature."""
    words = {fold(word) for word in _WORD.findall(line)}
    return bool(words) and words <= _HAILING


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
