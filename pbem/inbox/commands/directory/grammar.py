"""Command and line reader for the list of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, game_of, key_of


@dataclass(frozen=True)
class Players(Command):
    """Lists the players who want to be found, or those of a game."""

    game: str = ""
    reading: ClassVar[bool] = True


def _players(line: CommandLine) -> Players | None:
    # In a reply to a turn "Players." alone may be talk.
    match line.words:
        case [] if line.match is None and (line.own is None or line.clear):
            return Players()
        case words if line.match is None and (game := game_of(words)):
            return Players(key_of(game))
    return None


FAMILY = Family(__package__, Chapter.MEETING, rank=4, readers={Players: _players})
