"""Preferences of a player: SET topic value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.inbox.commands.account import ADDRESS, NAME
from pbem.inbox.commands.command import Preferences, Set
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.commands.topics import (
    FIRST,
    GROUPS,
    TOPIC_OF,
    TOPICS,
    Topic,
    change,
    group_titles,
    near_topics,
    setting,
    usage_of,
    value_of,
    verb,
)
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_EVERYTHING = wording(__name__).words("everything")
_LONGEST_VALUE = 6  # words
_LONGEST_PLACE = 3


def _read_preferences(line: CommandLine) -> Preferences | None:
    # In a reply to a turn "Set." alone may be talk of tennis.
    everything = fold(line.rest) in _EVERYTHING
    listed = (not line.rest or everything) and line.match is None and _meant(line)
    return Preferences(everything=everything) if listed else None


def _read_set(line: CommandLine) -> Preferences | Set | None:
    """Reads a known topic and value however written; a misspelled one only when clearly a command."""
    words = re.sub(r"^([^\W\d_]+)\s*[:=]\s*", r"\1 ", " ".join(line.words)).split()
    if not words or fold(" ".join(words)) in _EVERYTHING:
        return _read_preferences(line)
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


_OF: Mapping[str, Topic] = {topic.key: topic for topic in TOPICS}


def _list(context: CommandContext, wanted: Preferences) -> None:
    if wanted.topic:
        context.reply(one(context.player, _OF[wanted.topic]))
    else:
        context.reply(several(context.player, everything=wanted.everything))


def _set(context: CommandContext, wish: Set) -> None:
    player, language = context.player, context.player.language
    topic = _OF.get(wish.topic)
    if topic is None:
        near = [f"{verb(language)} {near.name(language)}" for near in near_topics(wish.word)]
        raise Refused(Code.NO_SUCH_TOPIC, text=wish.line, nearest=near)
    before = setting(topic, value_of(topic, player), language)
    change(player, topic, wish.value, dict(wish.wishes) or None, text=wish.line, now=context.now)
    context.reply(one(player, topic) | {"before": before})


def one(player: Player, topic: Topic) -> Section:
    """Returns a section with the name, value, purpose, usage and chips of a topic."""
    return {"kind": "preferences", "groups": [["", [_row(player, topic)]]]}


def several(player: Player, *, everything: bool) -> Section:
    """Returns a section with all topics by group, or with those that most people change."""
    named = group_titles(player.language)
    groups = [
        [named[group], [_row(player, topic) for topic in topics if everything or topic.key in FIRST]]
        for group, topics in GROUPS.items()
    ]
    return {"kind": "preferences", "groups": groups, "several": True, "more": not everything}


def _row(player: Player, topic: Topic) -> dict[str, Any]:
    # In words, since they are those of the commands.
    language = player.language
    return {
        "name": topic.name(language),
        "value": value_of(topic, player),
        "does": topic.does(language),
        "how": usage_of(topic, language),
        "chips": _chips(topic, player),
    }


def _chips(topic: Topic, player: Player) -> list[dict[str, Any]]:
    """Returns the usual values, each with its command and whether it is the player's; at least that."""
    language = player.language
    chips = [
        {
            "label": each,
            "command": setting(topic, each, language),
            "on": _has(player, topic.value.read(each.split())),
        }
        for each in topic.value.usage(language).split(" | ")
    ]
    if not any(chip["on"] for chip in chips):
        own = value_of(topic, player)
        chips.insert(0, {"label": own, "command": setting(topic, own, language), "on": True})
    return chips


def _has(player: Player, wishes: Mapping[str, Any] | None) -> bool:
    return wishes is not None and all(getattr(player, column) == value for column, value in wishes.items())


VERBS: Verbs = {
    Set: (_read_set, _set),
    Preferences: (_read_preferences, _list),
}
