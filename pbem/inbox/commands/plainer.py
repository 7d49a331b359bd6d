"""Shortens a sentence: without laughter, filler words, or the reason at its end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.smileys import without_last_smileys
from pbem.wording import wording

_WORDS = wording(__package__)
_FEWEST = 3  # words that are left of a sentence with a reason


def plainer(text: str) -> Iterator[tuple[str, str]]:
    """Yields the shorter texts, each with the reason that it lacks or ""."""
    if (earnest := without_last_smileys(text)) != text:
        yield earnest, ""
    filled = unfilled(text)
    if filled != text:
        yield filled, ""
    for said in dict.fromkeys((text, filled)):
        reason = _REASON.search(bare(said))
        if reason and len(said[: reason.start()].split()) >= _FEWEST:
            yield said[: reason.start()].rstrip(" ,;"), said[reason.start() :].lstrip(" ,;")


def unfilled(text: str) -> str:
    """Removes filler words."""
    for found in reversed(list(_FILLING.finditer(bare(text)))):
        text = text[: found.start()] + text[found.end() :]
    return text


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(bare(word)) for word in sorted(words, key=len, reverse=True))


_FILLING = re.compile(rf"(?<=\s)(?:{_either(_WORDS.words('plainer', 'filling'))})\s+(?=\S)")
_REASON = re.compile(rf"(?:\s*[,;]\s*|\s+)(?:{_either(_WORDS.words('plainer', 'reasons'))})\s")
