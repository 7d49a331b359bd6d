"""Commands and line readers for watching."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of, plain
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_DELAY = _WORDS.words("delay")
_NOT, _I_WATCH, _ANY_MORE = (_WORDS.words(said) for said in ("not", "i_watch", "any_more"))


@dataclass(frozen=True)
class Watch(Command):
    """Sends the board of a match of other players after each move."""

    number: int
    delay: int = 0


@dataclass(frozen=True)
class Unwatch(Command):
    """Stops the letters about a watched match."""

    number: int


def _watch(line: CommandLine) -> Watch | None:
    number, rest = match_of(line)
    words = [fold(word) for word in plain(rest).split()]
    delay = 0
    for at, word in enumerate(words[:-1]):
        if word in _DELAY and words[at + 1].isdecimal() and len(words[at + 1]) < 4:
            delay = int(words[at + 1])
            words = words[:at] + words[at + 2 :]
            break
    return None if number is None or words else Watch(number, delay)


def _unwatch(line: CommandLine) -> Unwatch | None:
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


FAMILY = Family(__package__, Chapter.LOOKING, rank=4, readers={Watch: _watch, Unwatch: _unwatch})
