"""Handlers for watching."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.observers.grammar import Unwatch, Watch
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.observers import unwatch, watch
from pbem.outbox.notifications.notify import Section


def _watch(context: CommandContext, command: Watch) -> None:
    watching = watch(context.player, command.number, delay=command.delay, now=context.now)
    section: Section = {"kind": "watching", "match": command.number, "ply": watching.shown}
    context.reply(section | {"delay": watching.delay}, match=watching.match)


def _unwatch(context: CommandContext, command: Unwatch) -> None:
    match = unwatch(context.player, command.number)
    context.reply({"kind": "unwatched", "match": match.pk}, match=match)


HANDLERS: Mapping[type[Command], Handler] = {
    Watch: _watch,
    Unwatch: _unwatch,
}
