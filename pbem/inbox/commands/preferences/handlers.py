"""Handlers for preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.preferences.grammar import Preferences, Set
from pbem.inbox.commands.preferences.topics import TOPICS, Topic, near_topics
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
    context.reply(listed(context.player, [_OF[wanted.topic]] if wanted.topic else TOPICS))


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
    context.reply(listed(player, [topic]) | {"before": before})


def listed(player: Player, topics: Sequence[Topic]) -> Section:
    """Returns a section with the name, value, purpose and usage of each topic."""
    # In words, since they are those of the commands.
    language = player.language
    rows = [
        [topic.name(language), _value(topic, player), topic.does(language), _how(topic, language)]
        for topic in topics
    ]
    return {"kind": "preferences", "topics": rows}


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
