"""Command and line reader for takebacks."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, number_of, plain


@dataclass(frozen=True)
class Undo(Command):
    """Takes back the player's last move, or so many turns of both."""

    match: int | None = None
    plies: int | None = None


def _undo(line: CommandLine) -> Undo | None:
    # In a reply a lone number counts turns, unless it is that of the match.
    match, rest = number_of(plain(line.rest))
    more, last = number_of(rest)
    if last or (line.match is not None and more is not None):
        return None
    if line.match is not None:
        match, more = line.match, match
    elif match is not None and more is None and line.own not in (None, match):
        match, more = None, match
    if more is not None and not 0 < more < 1000:
        return None
    return Undo(match, more)


FAMILY = Family(__package__, Chapter.PLAYING, rank=2, readers={Undo: _undo})
