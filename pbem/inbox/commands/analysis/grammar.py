"""The command that has a robot look through a match."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.family import Chapter, Family
from pbem.inbox.commands.line import CommandLine, match_of, plain


@dataclass(frozen=True)
class Analyse(Command):
    """Asks what a match was about that is over."""

    match: int | None = None


def _analyse(line: CommandLine) -> Analyse | None:
    match, rest = match_of(line)
    return None if plain(rest) else Analyse(match)


FAMILY = Family(__package__, Chapter.LOOKING, rank=5, readers={Analyse: _analyse})
