"""Commands and line readers for preferences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.inbox.commands.account.grammar import ADDRESS, NAME
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.commands.preferences.topics import TOPIC_OF, near_topics
from pbem.wording import fold, wording

_EVERYTHING = wording(__package__).words("everything")
_LONGEST_VALUE = 6  # words
_LONGEST_PLACE = 3


@dataclass(frozen=True)
class Preferences(Command):
    """Lists the most common preferences, all, or one, with possible and current values."""

    topic: str = ""  # "" is several
    everything: bool = False
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Set(Command):
    """Sets a topic to a value."""

    topic: str  # "" for an unknown topic: then `word` is what was written
    word: str
    value: str = ""
    wishes: tuple[tuple[str, Any], ...] = ()  # columns of Player; empty for an invalid value
    all_matches: ClassVar[bool] = True  # the night and the zone change clocks


def _preferences(line: CommandLine) -> Preferences | None:
    # In a reply to a turn "Set." alone may be talk of tennis.
    everything = fold(line.rest) in _EVERYTHING
    listed = (not line.rest or everything) and line.match is None and _meant(line)
    return Preferences(everything=everything) if listed else None


def _set(line: CommandLine) -> Preferences | Set | None:
    """Reads a known topic and value however written; a misspelled one only when clearly a command."""
    words = re.sub(r"^([^\W\d_]+)\s*[:=]\s*", r"\1 ", " ".join(line.words)).split()
    if not words or fold(" ".join(words)) in _EVERYTHING:
        return _preferences(line)
    word, *value = words
    if line.match is not None or fold(word) in ADDRESS | NAME or len(value) > _LONGEST_VALUE:
        return None
    topic = TOPIC_OF.get(fold(word))
    wishes = topic.value.read(value) if topic and value else None
    if topic and wishes:
        return Set(topic.key, word, " ".join(value), tuple(sorted(wishes.items())))
    place = (
        topic is not None
        and topic.key == "zone"
        and len(value) <= _LONGEST_PLACE
        and all(map(str.isalpha, value))
    )
    if not line.clear and not (line.own is None and (len(value) == 1 or place)):
        return None
    if topic:
        return Set(topic.key, word, " ".join(value)) if value else Preferences(topic.key)
    return Set("", word, " ".join(value)) if near_topics(word) else None


def _meant(line: CommandLine) -> bool:
    return line.clear or line.own is None


FAMILY = Family(__package__, Chapter.LETTERS, rank=2, readers={Set: _set, Preferences: _preferences})
