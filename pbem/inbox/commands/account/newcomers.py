"""Whoever has not signed up and asks how to, in words of their own: what they say, and their answer to our answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from django.conf import settings

from pbem.inbox.commands.general import grammar as general
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import game_pattern
from pbem.wording import fold, wording

_FIRST_LINES = 3  # a greeting may stand above
_LONGEST = 18  # words of a sentence that asks
_LONGEST_ABOUT_A_GAME = 34  # people who sell do not know what our games are called
_SENTENCES = 6  # of these lines; people who are polite begin with who they are
_SELLS = re.compile(r"://|www\.|@|[%€$£]")
_ADDRESS = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
_FRIEND = re.compile(
    rf"\b((?:with|against|versus|con|contro|friend|amic[ao]|invit\w*)\b[^@]{{0,30}}?){_ADDRESS}",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(_ADDRESS)
_END = re.compile(r"[.!?…]+\s+")
_WORD = re.compile(r"[^\W_]+")
_ACCOUNT = wording(__package__)
_HELP = wording(general.__package__)


def asks(subject: str, lines: Iterable[str]) -> bool:
    """Whether the Subject or a sentence of the first lines asks to play, or how; below stands whatever people sell."""
    return any(_asks_in(language, line) for line in _first(subject, lines) for language in _ACCOUNT.languages)


def language_of(subject: str, lines: Iterable[str]) -> str:
    """The one in which they ask, with a word of ours or in words of their own."""
    for line in _first(subject, lines):
        for language in _ACCOUNT.languages:
            if _asks_in(language, line) or _words(line)[:1] in _verbs(language):
                return language
    return settings.LANGUAGE_CODE


def _first(subject: str, lines: Iterable[str]) -> Iterator[str]:
    first = islice(filter(None, map(str.strip, lines)), _FIRST_LINES)
    said = (sentence for line in first for sentence in _END.split(line[:400]))
    yield from (subject, *islice(said, _SENTENCES))


def _asks_in(language: str, line: str) -> bool:
    names_game = bool(game_pattern().search(bare(line)))
    # An address may be that of a friend to play with; people who sell have one for answers.
    line = _SOMEBODY.sub("", line, count=1) if names_game else _FRIEND.sub(r"\1", line, count=1)
    words = _words(line)
    longest = _LONGEST_ABOUT_A_GAME if names_game else _LONGEST
    if not words or len(words) > longest or _SELLS.search(line):
        return False
    said = f" {' '.join(words)} "
    if any(phrase in said for phrase in _phrases(language, "asking")):
        return True
    if names_game and any(phrase in said for phrase in _phrases(language, "about_game")):
        return True
    wishes = [said.index(phrase) for phrase in _phrases(language, "wishing") if phrase in said]
    return bool(wishes) and any(phrase in said[min(wishes) :] for phrase in _phrases(language, "wished"))


@cache
def _phrases(language: str, key: str) -> tuple[str, ...]:
    return tuple(f" {' '.join(_words(phrase))} " for phrase in _ACCOUNT.of(language, key))


@cache
def _verbs(language: str) -> tuple[list[str], ...]:
    said = (
        *_HELP.of(language, "verbs", "Help", "words"),
        *_ACCOUNT.of(language, "verbs", "Register", "words"),
    )
    return tuple(_words(word) for word in said)


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text[:400])]
