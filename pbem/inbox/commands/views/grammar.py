"""Commands and line readers for views of a match."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from games.move_numbers import MoveNumber
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import GUARD, CommandLine, match_of, plain, typed
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_AT = _WORDS.words("at")  # SHOW 105 AT 12, MOSTRA 105 ALLA 12
_LAST = _WORDS.words("last")  # SHOW 105 LAST 6, MOSTRA 105 ULTIME 6
_ARTICLES = _WORDS.words("articles")
_DOTS_APART = re.compile(r"(?<=[0-9]) +(?=\.{1,3}(?: |$))")  # AT 6 ...


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some move, or the last boards."""

    match: int | None = None
    number: MoveNumber | None = None
    last: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Describe(Command):
    """Describes the board in words alone."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class History(Command):
    """Lists the moves of a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class RecordOf(Command):
    """Sends the record of a match as files."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Status(Command):
    """Shows which player is to move, in each match or in one."""

    match: int | None = None
    reading: ClassVar[bool] = True


def _show(line: CommandLine) -> Show | None:
    match, rest = match_of(replace(line, rest=re.sub(r"(?<=[0-9])\s*#", " #", typed(line.rest))))
    match [word for word in _DOTS_APART.sub("", rest).split() if fold(word) not in _ARTICLES]:
        case []:
            return Show(match)
        case [guard] if match is not None and GUARD.fullmatch(guard):
            return Show(match, MoveNumber.read(guard[1:]))
        case [at, number] if fold(at) in _AT and (after := MoveNumber.read(number)):
            return Show(match, after)
        case [last, most] if fold(last) in _LAST and (boards := _number(most)) is not None:
            return Show(match, last=boards)
        case [at, number, last, most] if (
            fold(at) in _AT
            and fold(last) in _LAST
            and (after := MoveNumber.read(number))
            and (boards := _number(most)) is not None
        ):
            return Show(match, after, boards)
    return None


def _number(word: str) -> int | None:
    said = plain(word)
    return int(said) if said.isdecimal() and len(said) < 5 else None


def _alone(kind: Callable[[int | None], Command]) -> Callable[[CommandLine], Command | None]:
    """Returns a reader of the verb with nothing but a match."""

    def read(line: CommandLine) -> Command | None:
        match, rest = match_of(line)
        return None if plain(rest) else kind(match)

    return read


FAMILY = Family(
    __package__,
    Chapter.LOOKING,
    rank=2,
    readers={
        Show: _show,
        Describe: _alone(Describe),
        History: _alone(History),
        RecordOf: _alone(RecordOf),
        Status: _alone(Status),
    },
)
