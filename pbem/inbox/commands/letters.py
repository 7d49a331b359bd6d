"""Subscriptions to sorts of letters."""

from __future__ import annotations

from functools import partial

from pbem.inbox.commands.command import Letters, Start, Stop
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.commands.verbs import GO_ON, SORT_OF, letters_words
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.outbox.notifications.direct_messages import stops_turns
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.outbox.notifications.notify import Section
from pbem.players import services
from pbem.players.subscriptions import Subscription
from pbem.wording import fold


def _read_letters(line: CommandLine) -> Letters | None:
    return None if line.rest or line.match is not None else Letters()


def _read_stop(line: CommandLine) -> Letters | Stop | None:
    match line.words:
        case []:
            return _read_letters(line)
        case [sort] if fold(sort) in SORT_OF:
            return Stop(SORT_OF[fold(sort)])
    return None


def _read_start(line: CommandLine) -> Start | None:
    if line.word in GO_ON:
        alone = line.clear and line.own is None and fold(" ".join(line.words)) == GO_ON[line.word]
        return Start(Subscription.TURNS) if alone else None
    match line.words:
        case [sort] if fold(sort) in SORT_OF:
            return Start(SORT_OF[fold(sort)])
    return None


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


VERBS: Verbs = {
    Letters: (_read_letters, _letters),
    Stop: (_read_stop, _stop),
    Start: (_read_start, _start),
}
