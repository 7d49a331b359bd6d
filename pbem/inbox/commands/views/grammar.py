"""The commands of looking at a match, and the lines that give them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.family import Chapter, Family
from pbem.inbox.commands.line import GUARD, CommandLine, match_of, plain
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_AT = _WORDS.words("at")  # SHOW 105 AT 12, MOSTRA 105 ALLA 12
_LAST = _WORDS.words("last")  # SHOW 105 LAST 6, MOSTRA 105 ULTIME 6
_ARTICLES = _WORDS.words("articles")


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some turn, or the last boards."""

    match: int | None = None
    ply: int | None = None
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
    """Says for each match, or for one, whose turn it is."""

    match: int | None = None
    reading: ClassVar[bool] = True


def _show(line: CommandLine) -> Show | None:
    match, rest = match_of(replace(line, rest=re.sub(r"(?<=[0-9])\s*#", " #", plain(line.rest))))
    match [word for word in rest.split() if fold(word) not in _ARTICLES]:
        case []:
            return Show(match)
        case [at, ply] if fold(at) in _AT and _is_number(ply):
            return Show(match, int(ply))
        case [last, most] if fold(last) in _LAST and _is_number(most):
            return Show(match, last=int(most))
        case [at, ply, last, most] if (
            fold(at) in _AT and fold(last) in _LAST and ply.isdecimal() and most.isdecimal()
        ):
            return Show(match, int(ply[:4]), int(most[:4]))
        case [guard] if match is not None and GUARD.fullmatch(guard):
            return Show(match, int(guard[1:]))
    return None


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 5


def _alone(kind: Callable[[int | None], Command]) -> Callable[[CommandLine], Command | None]:
    """The verb with nothing but a match."""

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
