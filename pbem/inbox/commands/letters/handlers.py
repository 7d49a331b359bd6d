"""Handlers for sorts of letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.letters.grammar import Letters, Start, Stop, letters_words
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.outbox.notifications.direct_messages import stops_turns
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.outbox.notifications.notify import Section
from pbem.players import services


def _letters(context: CommandContext, command: Letters | Start | Stop) -> None:
    section: Section = {"kind": "letters", "words": letters_words(context.player.language)}
    if not isinstance(command, Letters):
        section |= {"done": True, "only": command.sort}
    context.reply(section)


def _stop(context: CommandContext, stop: Stop) -> None:
    if stops_turns(context.player, partial(services.stop, context.player, stop.sort, now=context.now)):
        context.reply({"kind": CLOCK_RUNS})  # first, so that the answer to it goes where it is understood
    _letters(context, stop)


def _start(context: CommandContext, start: Start) -> None:
    services.restart(context.player, start.sort)
    _letters(context, start)


HANDLERS: Mapping[type[Command], Handler] = {
    Letters: _letters,
    Stop: _stop,
    Start: _start,
}
