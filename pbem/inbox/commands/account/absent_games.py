"""Well-known games that somebody asks for and that are not played here, each with the nearest of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

from games.registry import games
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import game_pattern
from pbem.wording import fold, wording

# "" where nothing here is like it.
NEAREST: Mapping[str, str] = {
    "chess": "trapdoor",
    "draughts": "emergo",
    "five_in_a_row": "insert",
    "gipf": "zertz",
    "go": "",
    "othello": "",
    "backgammon": "",
    "hex": "",
    "morris": "",
}
_WORDS = wording(__package__)
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MOST_LINES, _LONGEST, _MOST_WORDS = 12, 400, 18
_SELLS = re.compile(r"://|www\.|@|[%€$£]")


@dataclass(frozen=True)
class AbsentGame:
    """One that was asked for in a language, by a name of its."""

    key: str
    name: str
    language: str

    def section(self) -> dict[str, str]:
        """What a letter says of it."""
        return {"absent": self.name, "nearest": NEAREST[self.key] if NEAREST[self.key] in games() else ""}


def asked_for(lines: Iterable[str]) -> AbsentGame | None:
    """The first that a sentence asks for; None where none is, or one of ours is named."""
    short = [line[:_LONGEST] for line in islice(lines, _MOST_LINES)]
    if any(game_pattern().search(bare(line)) for line in short):
        return None
    sentences = (sentence for line in short for sentence in _SENTENCE.split(line))
    return next(filter(None, map(_asked_in, sentences)), None)


def _asked_in(sentence: str) -> AbsentGame | None:
    words = [fold(word) for word in _WORD.findall(sentence)]
    if len(words) > _MOST_WORDS or _SELLS.search(sentence):
        return None
    said = f" {' '.join(words)} "
    wished = any(phrase in said for phrase in _phrases("wishing"))
    if not wished and "?" not in sentence and not said.startswith(_phrases("absent_begins")):
        return None
    asked = ((language, _asking(language).search(said)) for language in _WORDS.languages)
    return next((AbsentGame(*_names()[found["name"]], language) for language, found in asked if found), None)


@cache
def _names() -> Mapping[str, tuple[str, str]]:
    """The game of each name, and how the name is written."""
    return {_level(name): (key, name) for key in NEAREST for name in _all("absent_games", key)}


@cache
def _asking(language: str) -> re.Pattern[str]:
    """`do you have any draughts`: what asks, words of little weight, and the name."""
    asks, little = _either(_WORDS.of(language, "absent_asking")), _either(_all("absent_little"))
    return re.compile(rf" (?:{asks})(?: (?:{little}))* (?P<name>{_either(_names())}) ")


@cache
def _phrases(key: str) -> tuple[str, ...]:
    return tuple(f" {_level(phrase)} " for phrase in _all(key))


def _all(*keys: str) -> Iterable[str]:
    return [word for words in _WORDS.each(*keys).values() for word in words]


def _level(phrase: str) -> str:
    return " ".join(fold(word) for word in _WORD.findall(phrase))


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, map(_level, words)), key=len, reverse=True))
