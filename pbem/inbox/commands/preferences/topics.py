"""The table of topics that SET can change, and their values. The wording has their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from typing import Any

from django.conf import settings

from pbem.inbox.commands.preferences.values import Cadence, Choice, FreeDays, NightHours, Value, Zone, switch
from pbem.players.names import called
from pbem.refusals import Code
from pbem.wording import fold, wording

_WORDS = wording(__package__)


@dataclass(frozen=True)
class Topic:
    """A preference."""

    key: str
    value: Value
    refusal: str = Code.NO_SUCH_VALUE  # of an invalid value

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of Player that hold it."""
        return self.value.columns

    @property
    def words(self) -> Mapping[str, list[str]]:
        """The words for the topic, by language; the first is shown."""
        return _WORDS.each("topics", self.key, "words")

    def name(self, language: str) -> str:
        return self.words[language][0].upper()

    def does(self, language: str) -> str:
        return " ".join(_WORDS.of(language, "topics", self.key, "does").split())


def _choice(topic: str, column: str, **options: Any) -> Choice:
    """Builds a choice between values that the wording has under these names."""
    words = {value: _WORDS.each("topics", topic, "options", name) for name, value in options.items()}
    return Choice(column, words)


GROUPS: Mapping[str, tuple[Topic, ...]] = {
    "looks": (
        Topic("language", Choice("language", {code: called(code) for code, _ in settings.LANGUAGES})),
        Topic("theme", _choice("theme", "theme", default="default", dark="dark", print="print")),
        Topic("size", _choice("size", "picture_size", small=400, normal=520, large=640)),
        Topic("board", _choice("board", "own_side", mine=True, fixed=False)),
        Topic("coordinates", _choice("coordinates", "coordinates", seed="seed", gipf="gipf")),
        Topic("letters", _choice("letters", "text_only", html=False, text=True)),
        Topic("bandwidth", _choice("bandwidth", "low_bandwidth", normal=False, low=True)),
        Topic("links", switch("move_links")),
        Topic("subject", _choice("subject", "status_subject", constant=False, status=True)),
    ),
    "comes": (
        Topic("cadence", Cadence()),
        Topic("receipts", _choice("receipts", "receipts", first=None, on=True, off=False)),
        Topic("reminders", _choice("reminders", "reminders", all="all", last="last", none="none")),
        Topic("calendar", switch("calendar_files")),
    ),
    "time": (
        Topic("zone", Zone("zone")),
        Topic("weekend", FreeDays("free_weekdays"), Code.BAD_WEEKEND),
        Topic("night", NightHours(), Code.BAD_NIGHT),
        Topic("absence", switch("automatic_absence")),
    ),
    "privacy": (
        Topic("listed", switch("listed")),
        Topic("strict", switch("strict")),
        Topic("robot", switch("program")),
    ),
}
FIRST = ("language", "theme", "cadence", "receipts", "zone", "listed")  # those that most people change
TOPICS: tuple[Topic, ...] = tuple(chain.from_iterable(GROUPS.values()))
_WORDS.must_have(GROUPS, "groups")
_WORDS.must_have((topic.key for topic in TOPICS), "topics")
TOPIC_OF: Mapping[str, Topic] = {
    fold(word): topic for topic in TOPICS for words in topic.words.values() for word in words
}


def near_topics(word: str) -> tuple[Topic, ...]:
    """Returns up to three topics with a name similar to `word`."""
    near = get_close_matches(fold(word), TOPIC_OF, n=5, cutoff=0.7)
    return tuple({TOPIC_OF[found].key: TOPIC_OF[found] for found in near}.values())[:3]
