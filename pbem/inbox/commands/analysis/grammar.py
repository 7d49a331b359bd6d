"""Commands and line readers for analyses and hints."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.analysis.service import IDEA, MOVE
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of, plain
from pbem.wording import fold, wording

_MORE = wording(__package__).words("more")


@dataclass(frozen=True)
class Analyse(Command):
    """Asks for the analysis of a match that is over."""

    match: int | None = None


@dataclass(frozen=True)
class Hint(Command):
    """Asks a robot for a hint: an idea first, then the move."""

    match: int | None = None
    stage: int = IDEA


def _analyse(line: CommandLine) -> Analyse | None:
    match, rest = match_of(line)
    return None if plain(rest) else Analyse(match)


def _hint(line: CommandLine) -> Hint | None:
    """Reads `HINT 2` (more of the same), `HINT 105` (a match), `HINT 105 2` (both)."""
    match, rest = (line.match, line.rest) if fold(plain(line.rest)) in _MORE else match_of(line)
    said = fold(plain(rest))
    if said and said not in _MORE:
        return None
    return Hint(match, MOVE if said else IDEA)


FAMILY = Family(__package__, Chapter.LOOKING, rank=5, readers={Analyse: _analyse, Hint: _hint})
