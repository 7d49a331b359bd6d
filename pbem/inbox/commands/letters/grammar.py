"""Commands and line readers for sorts of letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, plain
from pbem.players.subscriptions import Subscription
from pbem.wording import fold, wording

_WORDS = wording(__package__)
# What follows STOP and START; None is every sort.
_SORTS: Mapping[str, Subscription | None] = {str(sort): sort for sort in Subscription} | {"all": None}
SORT_OF: Mapping[str, Subscription | None] = {
    word: sort for name, sort in _SORTS.items() for word in _WORDS.words("sorts", name)
}
# The answer that the letter about a running clock asks for, by first word; talk in a match.
GO_ON: Mapping[str, str] = {
    first: rest for first, _, rest in (go.partition(" ") for go in _WORDS.words("go_on"))
}


@dataclass(frozen=True)
class Letters(Command):
    """Lists the sorts of letters, and those that the player gets."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Stop(Command):
    """Stops the letters of a sort; None: all."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Start(Command):
    """Resumes the letters of a sort; None: all."""

    sort: Subscription | None = None


def _letters(line: CommandLine) -> Letters | None:
    return None if line.rest or line.match is not None else Letters()


def _stop(line: CommandLine) -> Letters | Stop | None:
    match line.words:
        case []:
            return _letters(line)
        case [sort] if fold(sort) in SORT_OF:
            return Stop(SORT_OF[fold(sort)])
    return None


def _start(line: CommandLine) -> Start | None:
    if line.word in GO_ON:
        alone = line.clear and line.own is None and fold(" ".join(line.words)) == GO_ON[line.word]
        return Start(Subscription.TURNS) if alone else None
    match line.words:
        case [sort] if fold(sort) in SORT_OF:
            return Start(SORT_OF[fold(sort)])
    return None


def goes_on(line: str) -> bool:
    """Whether the line is the answer in GO_ON, in any case."""
    first, _, rest = fold(plain(line[:40]).rstrip("!. ")).partition(" ")
    return GO_ON.get(first) == rest


def letters_words(language: str) -> dict[str, str]:
    """Returns the words to stop and start letters: `stop`, `start`, `all` and the names of the sorts."""
    sorts = {name: _WORDS.of(language, "sorts", name)[0] for name in _SORTS}
    stop, start = (_WORDS.of(language, "verbs", verb.__name__, "words")[0] for verb in (Stop, Start))
    return sorts | {"stop": stop, "start": start}


FAMILY = Family(__package__, Chapter.LETTERS, rank=1, readers={Letters: _letters, Stop: _stop, Start: _start})
