"""Handlers for preferences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.preferences.grammar import Preferences, Set
from pbem.inbox.commands.preferences.topics import FIRST, GROUPS, TOPICS, Topic, near_topics
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.clock.absences import choose
from pbem.outbox.notifications.digests import reschedule
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import wording

_OF: Mapping[str, Topic] = {topic.key: topic for topic in TOPICS}
WHEN = {"cadence", "zone"}  # topics that change when a digest is due


def _list(context: CommandContext, wanted: Preferences) -> None:
    if wanted.topic:
        context.reply(one(context.player, _OF[wanted.topic]))
    else:
        context.reply(several(context.player, everything=wanted.everything))


def _set(context: CommandContext, wish: Set) -> None:
    player, language = context.player, context.player.language
    topic = _OF.get(wish.topic)
    if topic is None:
        near = [f"{_verb(language)} {near.name(language)}" for near in near_topics(wish.word)]
        raise Refused(Code.NO_SUCH_TOPIC, text=wish.line, nearest=near)
    if not wish.wishes:
        said = f"{_verb(language)} {topic.name(language)}"
        near = [f"{said} {value}" for value in topic.value.near(wish.value.split())]
        raise Refused(topic.refusal, text=wish.line, nearest=near or [_how(topic, language)])
    before = _line(topic, player)
    choose(player, dict(wish.wishes), now=context.now)
    if topic.key in WHEN:
        reschedule(player, now=context.now)
    context.reply(one(player, topic) | {"before": before})


def one(player: Player, topic: Topic) -> Section:
    """Returns a section with the name, value, purpose, usage and chips of a topic."""
    return {"kind": "preferences", "groups": [["", [_row(player, topic)]]]}


def several(player: Player, *, everything: bool) -> Section:
    """Returns a section with all topics by group, or with those that most people change."""
    named: Mapping[str, str] = wording(__package__).of(player.language, "groups")
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
        "value": _value(topic, player),
        "does": topic.does(language),
        "how": _how(topic, language),
        "chips": _chips(topic, player),
    }


def _chips(topic: Topic, player: Player) -> list[dict[str, Any]]:
    """Returns the usual values, each with its command and whether it is the player's; at least that."""
    language = player.language
    set_it = f"{_verb(language)} {topic.name(language)}"
    chips = [
        {"label": value, "command": f"{set_it} {value}", "on": _has(player, topic.value.read(value.split()))}
        for value in topic.value.usage(language).split(" | ")
    ]
    if not any(chip["on"] for chip in chips):
        value = _value(topic, player)
        chips.insert(0, {"label": value, "command": f"{set_it} {value}", "on": True})
    return chips


def _has(player: Player, wishes: Mapping[str, Any] | None) -> bool:
    return wishes is not None and all(getattr(player, column) == value for column, value in wishes.items())


def _value(topic: Topic, player: Player) -> str:
    wishes = {column: getattr(player, column) for column in topic.columns}
    return topic.value.write(wishes, player.language)


def _line(topic: Topic, player: Player) -> str:
    """Returns the line that sets the current value."""
    return f"{_verb(player.language)} {topic.name(player.language)} {_value(topic, player)}"


def _verb(language: str) -> str:
    return str(wording(__package__).of(language, "verbs", Set.__name__, "words")[0])


def _how(topic: Topic, language: str) -> str:
    return f"{_verb(language)} {topic.name(language)} {topic.value.usage(language)}"


HANDLERS: Mapping[type[Command], Handler] = {
    Preferences: _list,
    Set: _set,
}
