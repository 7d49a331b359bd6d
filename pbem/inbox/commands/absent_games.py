"""Finds requests for games that are not offered here, and the nearest of our games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from games.registry import games
from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.understanding.normalization import bare
from pbem.outbox.notifications.kinds import Section
from pbem.wording import fold, primitive, wording

# The nearest game of ours; "" when there is none.
NEAREST: Mapping[str, str] = {
    "chess": "trapdoor",
    "draughts": "bashni",
    "five_in_a_row": "insert",
    "go": "",
    "backgammon": "",
    "hex": "",
    "morris": "",
}
_WORDS = wording(f"{__package__}.account")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MOST_LINES, _LONGEST, _MOST_WORDS = 12, 400, 18
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_SOMEBODY = "somebodysaddress"
_AROUND_UNKNOWN = ("unknown_before", "unknown_against", "unknown_beside")
_SELLS = re.compile(r"://|www\.|@|[%€$£]")


@dataclass(frozen=True)
class AbsentGame:
    """A game that was asked for, its name and the language; `key` is "" for an unknown game."""

    key: str
    name: str
    language: str

    def section(self) -> Section:
        """Returns the section of the reply about it."""
        nearest = NEAREST.get(self.key, "")
        unknown: Section = {} if self.key else {"unknown": self.name}
        return {"absent": self.name, "nearest": nearest if nearest in games() else "", **unknown}


def asked_for(lines: Iterable[str]) -> AbsentGame | None:
    """Returns the first known game that a sentence asks for. None when there is none, or ours is named."""
    sentences = (said for line in _without_ours(lines) for said in map(_asks_with, _SENTENCE.split(line)))
    return next(filter(None, map(_known_in, sentences)), None)


def asked_by_name(lines: Iterable[str]) -> AbsentGame | None:
    """Returns the same, or an unknown game named behind words for playing. None when there is none."""
    lines = list(lines)
    sentences = (said for line in _without_ours(lines) for said in map(_asks_with, _SENTENCE.split(line)))
    return asked_for(lines) or next(filter(None, map(_unknown_in, sentences)), None)


def _without_ours(lines: Iterable[str]) -> Sequence[str]:
    """Returns the first lines. Empty when one names a game of ours."""
    short = [line[:_LONGEST] for line in islice(lines, _MOST_LINES)]
    return () if any(game_pattern().search(bare(line)) for line in short) else short


def _asks_with(sentence: str) -> str:
    """Returns the words of a sentence that asks for something, without a friend's address; else ""."""
    sentence = _ADDRESS.sub(f" {_SOMEBODY} ", sentence, count=1)
    words = [fold(word) for word in _WORD.findall(sentence)]
    if len(words) > _MOST_WORDS or _SELLS.search(sentence):
        return ""
    said = f" {' '.join(words)} "
    wished = any(phrase in said for phrase in _phrases("wishing"))
    asks = wished or "?" in sentence or said.startswith(_phrases("absent_begins"))
    return said if asks else ""


def _known_in(said: str) -> AbsentGame | None:
    asked = ((language, _asking(language).search(said)) for language in _WORDS.languages)
    return next((AbsentGame(*_names()[found["name"]], language) for language, found in asked if found), None)


def _unknown_in(said: str) -> AbsentGame | None:
    for language in _WORDS.languages:
        found = _playing(language).search(said)
        if found and not _no_names().intersection(found["name"].split()):
            return AbsentGame("", found["name"], language)
    return None


@cache
def _names() -> Mapping[str, tuple[str, str]]:
    """Maps each name to its game, and to how it is written."""
    return {_level(name): (key, name) for key in NEAREST for name in _all("absent_games", key)}


@cache
def _asking(language: str) -> re.Pattern[str]:
    """Compiles the pattern of `do you have any draughts`."""
    asks, little = _either(_WORDS.of(language, "absent_asking")), _either(primitive(_all("absent_little")))
    return re.compile(rf" (?:{asks})(?: (?:{little})(?= ))*+ (?P<name>{_either(_names())}) ")


@cache
def _playing(language: str) -> re.Pattern[str]:
    """Compiles the pattern of `play monopoly with Anna`, `giocare con Anna a briscola`."""
    before, somebody, beside = (_either(_WORDS.of(language, key)) for key in _AROUND_UNKNOWN)
    name = r"(?P<name>[^\W\d_]{3,}(?: [^\W\d_]{3,})?)"
    return re.compile(rf" (?:{before})(?: (?:{somebody}) \w+ (?:{beside}))? {name}(?= (?:(?:{somebody}) |$))")


@cache
def _no_names() -> frozenset[str]:
    """Returns words that follow `play` and name no game."""
    return frozenset(map(_level, _all("no_games"))) | {_SOMEBODY}


@cache
def _phrases(key: str) -> tuple[str, ...]:
    return tuple(f" {_level(phrase)} " for phrase in _all(key))


def _all(*keys: str) -> Iterable[str]:
    return [word for words in _WORDS.each(*keys).values() for word in words]


def _level(phrase: str) -> str:
    return " ".join(fold(word) for word in _WORD.findall(phrase))


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, map(_level, words)), key=len, reverse=True))
