"""Watching the matches of others."""

from __future__ import annotations

from pbem.inbox.commands.line import CommandLine, match_of, plain
from pbem.inbox.commands.match_commands import Unwatch, Watch
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches.observers import unwatch, watch
from pbem.outbox.notifications.notify import Section
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_DELAY = _WORDS.words("delay")
_NOT, _I_WATCH, _ANY_MORE = (_WORDS.words(said) for said in ("not", "i_watch", "any_more"))


def _read_watch(line: CommandLine) -> Watch | None:
    number, rest = match_of(line)
    words = [fold(word) for word in plain(rest).split()]
    delay = 0
    for at, word in enumerate(words[:-1]):
        if word in _DELAY and words[at + 1].isdecimal() and len(words[at + 1]) < 4:
            delay = int(words[at + 1])
            words = words[:at] + words[at + 2 :]
            break
    return None if number is None or words else Watch(number, delay)


def _read_unwatch(line: CommandLine) -> Unwatch | None:
    if line.word in _NOT:
        return _not_watch(line)
    number, rest = match_of(line)
    return None if number is None or plain(rest) else Unwatch(number)


def _not_watch(line: CommandLine) -> Unwatch | None:
    """Reads NON OSSERVO 105."""
    verb, _, rest = plain(line.rest).partition(" ")
    words = rest.split()
    if fold(verb) not in _I_WATCH:
        return None
    if words and fold(words[0]) in _ANY_MORE:
        words = words[1:]
    match words:
        case [number] if line.match is None and number.removeprefix("#").isdecimal() and len(number) < 10:
            return Unwatch(int(number.removeprefix("#")))
    return None


def _watch(context: CommandContext, command: Watch) -> None:
    watching = watch(context.player, command.number, delay=command.delay, now=context.now)
    section: Section = {"kind": "watching", "match": command.number, "ply": watching.shown}
    context.reply(section | {"delay": watching.delay}, match=watching.match)


def _unwatch(context: CommandContext, command: Unwatch) -> None:
    match = unwatch(context.player, command.number)
    context.reply({"kind": "unwatched", "match": match.pk}, match=match)


VERBS: Verbs = {
    Watch: (_read_watch, _watch),
    Unwatch: (_read_unwatch, _unwatch),
}
