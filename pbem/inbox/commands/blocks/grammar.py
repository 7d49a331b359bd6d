"""Commands and line readers for limits, refusals and blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, game_of, key_of
from pbem.inbox.commands.matchmaking.grammar import DECLINES_PEOPLE
from pbem.wording import fold, wording

_NUMBER = re.compile(
    rf"[0-9]{{1,3}}|{wording(__package__).either('none')}"
)  # LIMIT zertz 3, LIMIT zertz NONE
_NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


@dataclass(frozen=True)
class Limit(Command):
    """Limits the number of matches, of a game or of all; `most` None removes the limit."""

    game: str = ""
    most: int | None = None


@dataclass(frozen=True)
class Limits(Command):
    """Lists limits and refusals."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Refuse(Command):
    """Refuses the challenges of a player, or those to one game."""

    who: str
    game: str = ""


@dataclass(frozen=True)
class Block(Command):
    """Refuses the challenges and the messages of a player."""

    who: str


@dataclass(frozen=True)
class Allow(Command):
    """Takes back a refusal."""

    who: str


def _limits(line: CommandLine) -> Limits | None:
    return None if line.rest or line.match is not None else Limits()


def _limit(line: CommandLine) -> Limit | None:
    match line.words:
        case [most] if line.match is None and _NUMBER.fullmatch(fold(most)):
            return Limit("", _number(most))
        case [*words, most] if (
            line.match is None and (game := game_of(words)) and _NUMBER.fullmatch(fold(most))
        ):
            return Limit(key_of(game), _number(most))
    return None


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() else None


def _refuse(line: CommandLine) -> Refuse | None:
    if not _is_about_somebody(line):
        return None
    match line.words:
        case [who] if _NAME.fullmatch(who):
            return Refuse(who)
        case [who, *words] if _NAME.fullmatch(who) and (game := game_of(words)):
            return Refuse(who, key_of(game))
    return None


def _whom(kind: Callable[[str], Command]) -> Callable[[CommandLine], Command | None]:
    def read(line: CommandLine) -> Command | None:
        match line.words:
            case [who] if _is_about_somebody(line) and _NAME.fullmatch(who):
                return kind(who)
        return None

    return read


def _is_about_somebody(line: CommandLine) -> bool:
    # "Allow me" is talk, "Allow Carla" is not; but in a reply it may be, and RIFIUTO declines there what it
    # answers.
    if line.match is not None or (line.word in DECLINES_PEOPLE and line.own is not None):
        return False
    return line.clear or (line.own is None and line.rest[:1].isupper())


FAMILY = Family(
    __package__,
    Chapter.MEETING,
    rank=3,
    readers={Limit: _limit, Limits: _limits, Refuse: _refuse, Block: _whom(Block), Allow: _whom(Allow)},
)
