"""The topics that SET can change, and the kinds of their values: each is read from a line, written, and explained.

A value maps columns of Player: `{"theme": "dark"}`. The wording has the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from difflib import get_close_matches
from itertools import chain
from typing import Any, Protocol

from django.conf import settings

from pbem.inbox.commands.command import Set
from pbem.matches.clock.absences import choose
from pbem.outbox.notifications.digests import reschedule
from pbem.players.calendar import MOST_FREE_WEEKDAYS, Night
from pbem.players.models import Player
from pbem.players.names import called
from pbem.players.zones import find_zone, near_zones
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

Wishes = Mapping[str, Any]
Words = Mapping[str, Sequence[str]]  # by language; the first is shown

_WORDS = wording(f"{__package__}.preferences")
_ON, _OFF = _WORDS.each("on"), _WORDS.each("off")
_WEEKDAYS = wording("pbem.inbox.commands").each("dates", "weekdays")
_COMMON_ZONES = ("Europe/London", "Europe/Rome", "America/New_York")  # examples
_HOUR = re.compile(r"([01]?[0-9]|2[0-3])(?:[:.]00)?")
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3])(?:[:.]([0-5][0-9]))?")
_FILLING = _WORDS.words("filling")
_FROM = re.compile(rf"\b(?:{_WORDS.either('from')})\b")
_TO = re.compile(rf"[-–]|\b(?:{_WORDS.either('to')})\b")


class Value(Protocol):
    """A kind of value that a preference can have."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of Player that hold it."""

    def read(self, words: Sequence[str]) -> Wishes | None:
        """Returns the columns that `words`, in any language, set. None when they are no such value."""

    def write(self, wishes: Wishes, language: str) -> str:
        """Writes the value as a player would. The inverse of `read`."""

    def usage(self, language: str) -> str:
        """Returns what can be written."""

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        """Returns values similar to what was written."""


@dataclass(frozen=True)
class Choice:
    """One of a few values, each with its words."""

    column: str
    options: Mapping[Any, Words]

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def read(self, words: Sequence[str]) -> Wishes | None:
        said = fold(" ".join(words))
        for value, spoken in self.options.items():
            if any(said == fold(word) for words in spoken.values() for word in words):
                return {self.column: value}
        return None

    def write(self, wishes: Wishes, language: str) -> str:
        return self.options[wishes[self.column]][language][0]

    def usage(self, language: str) -> str:
        return " | ".join(spoken[language][0] for spoken in self.options.values())

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        return ()


def switch(column: str, *, inverted: bool = False) -> Choice:
    """Returns a choice between on and off."""
    return Choice(column, {not inverted: _ON, inverted: _OFF})


@dataclass(frozen=True)
class Zone:
    column: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def read(self, words: Sequence[str]) -> Wishes | None:
        zone = find_zone(" ".join(words))
        return {self.column: zone} if zone else None

    def write(self, wishes: Wishes, language: str) -> str:
        return str(wishes[self.column])

    def usage(self, language: str) -> str:
        return str(_WORDS.of(language, "usage", "zone"))

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        return near_zones(" ".join(words)) or _COMMON_ZONES


@dataclass(frozen=True)
class Cadence:
    """How often letters come, on which day and at what hour: `daily 8`, `weekly friday 18`."""

    columns = ("cadence", "digest_day", "digest_hour")
    often = ("move", "daily", "weekly")

    def read(self, words: Sequence[str]) -> Wishes | None:
        first, *rest = [fold(word) for word in words] or [""]
        cadence = next((key for key in self.often if first in _WORDS.words("cadences", key)), None)
        rest = [word for word in rest if word not in _FILLING]
        if cadence is None or (cadence == "move" and rest):
            return None
        wishes: dict[str, Any] = {"cadence": cadence}
        for word in rest:
            if (day := day_of(word)) is not None and cadence == "weekly" and "digest_day" not in wishes:
                wishes["digest_day"] = day
            elif (hour := _HOUR.fullmatch(word)) and "digest_hour" not in wishes:
                wishes["digest_hour"] = int(hour[1])
            else:
                return None
        return wishes

    def write(self, wishes: Wishes, language: str) -> str:
        cadence = wishes["cadence"]
        said = [_WORDS.of(language, "cadences", cadence)[0]]
        if cadence == "weekly":
            said.append(_WEEKDAYS[language][wishes["digest_day"]])
        if cadence != "move":
            said.append(str(wishes["digest_hour"]))
        return " ".join(said)

    def usage(self, language: str) -> str:
        return str(_WORDS.of(language, "usage", "cadence"))

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class FreeDays:
    """Days of the week on which the clocks stand still, as "56" (0 is Monday)."""

    column: str
    none = Choice("", {"": _OFF})

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def read(self, words: Sequence[str]) -> Wishes | None:
        if self.none.read(words):
            return {self.column: ""}
        said = [word for word in re.split(r"[\s,+/]+", fold(" ".join(words))) if word not in _FILLING]
        days = [day_of(word) for word in said]
        if not days or None in days or len(set(days)) > MOST_FREE_WEEKDAYS:
            return None
        return {self.column: "".join(sorted({str(day) for day in days}))}

    def write(self, wishes: Wishes, language: str) -> str:
        days = [_WEEKDAYS[language][int(day)] for day in wishes[self.column]]
        return " ".join(days) or _OFF[language][0]

    def usage(self, language: str) -> str:
        return str(_WORDS.of(language, "usage", "free_days"))

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class NightHours:
    """The hours of every night in which the clocks stand still: `22-7`."""

    columns = ("night_begins", "night_ends")
    none = Choice("", {"": _OFF})

    def read(self, words: Sequence[str]) -> Wishes | None:
        if self.none.read(words):
            return dict.fromkeys(self.columns)
        said = _FROM.sub("", fold(" ".join(words)))
        ends = [_CLOCK.fullmatch(end.strip()) for end in _TO.split(said)]
        match ends:
            case [re.Match() as begins, re.Match() as over]:
                night = [time(int(at[1]), int(at[2] or 0)) for at in (begins, over)]
                return dict(zip(self.columns, night, strict=True)) if _is_night(*night) else None
        return None

    def write(self, wishes: Wishes, language: str) -> str:
        begins, ends = (wishes[column] for column in self.columns)
        if begins is None or ends is None:
            return str(_OFF[language][0])
        return "-".join(f"{at:%H:%M}" if at.minute else str(at.hour) for at in (begins, ends))

    def usage(self, language: str) -> str:
        return f"22-7 | {_OFF[language][0]}"

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        return ()


def day_of(word: str) -> int | None:
    """Returns the weekday (0 is Monday) by its name or its first three letters; else None."""
    said = fold(word)
    for names in _WEEKDAYS.values():
        for number, name in enumerate(map(fold, names)):
            if said in (name, name[:3], f"{name}s"):
                return number
    return None


def _is_night(begins: time, ends: time) -> bool:
    try:
        Night(begins, ends)
    except ValueError:
        return False
    return True


# Topics


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
        Topic("boardlink", switch("board_links")),
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
        Topic("site", _choice("site", "site", no="unnamed", yes="named", index="indexed", never="no")),
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


# A player's topics

WHEN = {"cadence", "zone"}  # topics that change when a digest is due


def group_titles(language: str) -> Mapping[str, str]:
    titles: Mapping[str, str] = _WORDS.of(language, "groups")
    return titles


def value_of(topic: Topic, player: Player) -> str:
    """Returns the player's value of the topic, as they would write it."""
    wishes = {column: getattr(player, column) for column in topic.columns}
    return topic.value.write(wishes, player.language)


def setting(topic: Topic, said: str, language: str) -> str:
    """Returns the command that sets a topic."""
    return f"{verb(language)} {topic.name(language)} {said}"


def change(
    player: Player, topic: Topic, said: str, wishes: Mapping[str, Any] | None, *, text: str, now: datetime
) -> None:
    """Sets a topic to what was `said`, which was read as `wishes`. Refuses what is no value of it, and K05."""
    if wishes is None:
        language = player.language
        near = [setting(topic, each, language) for each in topic.value.near(said.split())]
        raise Refused(topic.refusal, text=text, nearest=near or [usage_of(topic, language)])
    choose(player, wishes, now=now)
    if topic.key in WHEN:
        reschedule(player, now=now)


def verb(language: str) -> str:
    return str(_WORDS.of(language, "verbs", Set.__name__, "words")[0])


def usage_of(topic: Topic, language: str) -> str:
    return setting(topic, topic.value.usage(language), language)
