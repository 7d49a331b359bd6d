"""How a player likes their letters, and when their time runs: SET topic value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.families.account import ADDRESS
from pbem.inbox.commands.spoken import Spoken, fold
from pbem.inbox.commands.topics import TOPIC_OF, near_topics
from pbem.inbox.commands.verb import Verb, verb

_LONGEST_VALUE = 6  # words


@dataclass(frozen=True)
class Preferences(Command):
    """Lists what can be chosen, what you have chosen, and how to change it."""

    topic: str = ""  # "" is all
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Set(Command):
    """Sets how you like your letters, and when your time runs: SET THEME dark,
    SET CADENCE daily 8, SET ZONE Rome. SET alone lists all that can be chosen."""

    topic: str  # "" where there is none of that name: then `word` is what was written
    word: str
    value: str = ""
    wishes: tuple[tuple[str, Any], ...] = ()  # columns of Player; none where the value is none of the topic
    all_matches: ClassVar[bool] = True  # another night or zone


def _preferences(said: Spoken) -> Preferences | None:
    """In a reply to a turn "Set." alone may be talk of tennis."""
    return Preferences() if not said.rest and said.match is None and _meant(said) else None


def _set(said: Spoken) -> Preferences | Set | None:
    """What has a known topic and value is a command however it is written; a typo only where it was meant as one."""
    words = re.sub(r"^([^\W\d_]+)\s*[:=]\s*", r"\1 ", " ".join(said.words)).split()
    if not words:
        return _preferences(said)
    word, *value = words
    if said.match is not None or fold(word) in ADDRESS or len(value) > _LONGEST_VALUE:
        return None
    topic = TOPIC_OF.get(fold(word))
    wishes = topic.value.read(value) if topic and value else None
    if topic and wishes:
        return Set(topic.key, word, " ".join(value), tuple(sorted(wishes.items())))
    if not said.clear and not (said.own is None and len(value) == 1):
        return None
    if topic:
        return Set(topic.key, word, " ".join(value)) if value else Preferences(topic.key)
    return Set("", word, " ".join(value)) if near_topics(word) else None


def _meant(said: Spoken) -> bool:
    return said.clear or said.own is None


VERBS: Sequence[Verb] = (
    verb(
        Set,
        _set,
        en=("SET", "SET topic value"),
        it=(
            "IMPOSTA",
            "IMPOSTA argomento valore",
            "Imposta come ti piacciono le lettere e quando corre il tuo tempo: IMPOSTA TEMA scuro,"
            " IMPOSTA CADENZA giornaliera 8, IMPOSTA FUSO Roma. IMPOSTA da solo"
            " elenca tutto ciò che si può scegliere.",
        ),
    ),
    verb(
        Preferences,
        _preferences,
        en=("PREFERENCES SETTINGS", "PREFERENCES or SET"),
        it=(
            "PREFERENZE IMPOSTAZIONI",
            "PREFERENZE oppure IMPOSTA",
            "Elenca ciò che si può scegliere, ciò che hai scelto, e come si cambia.",
        ),
    ),
)
