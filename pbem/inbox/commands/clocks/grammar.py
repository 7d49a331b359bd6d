"""Commands and line readers for clocks and claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of


@dataclass(frozen=True)
class Clock(Command):
    """Shows the time of both players, in one match or in all."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Claim(Command):
    """Claims the win on time, where it has to be claimed."""

    match: int | None = None


def _clock(line: CommandLine) -> Clock | None:
    match, rest = match_of(line)
    return None if rest else Clock(match)


def _claim(line: CommandLine) -> Claim | None:
    match, rest = match_of(line)
    return None if rest else Claim(match)


FAMILY = Family(__package__, Chapter.TIME, rank=1, readers={Clock: _clock, Claim: _claim})
