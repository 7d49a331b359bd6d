"""Command and line reader for statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine


@dataclass(frozen=True)
class Stats(Command):
    """Shows how the player's matches ended, game by game, and how soon they answer."""

    reading: ClassVar[bool] = True


def _stats(line: CommandLine) -> Stats | None:
    # In a reply to a turn "Stats." may be said to the opponent.
    alone = not line.rest and line.match is None
    return Stats() if alone and (line.clear or line.own is None) else None


FAMILY = Family(__package__, Chapter.BEGINNING, rank=2, readers={Stats: _stats})
