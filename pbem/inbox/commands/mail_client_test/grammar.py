"""Command and line reader for the test letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine


@dataclass(frozen=True)
class Check(Command):
    """Sends the test letter for the mail program."""

    reading: ClassVar[bool] = True


def _test(line: CommandLine) -> Check | None:
    # In a reply to a turn "Prova." is meant for the opponent.
    return Check() if not line.rest and line.match is None and (line.clear or line.own is None) else None


FAMILY = Family(__package__, Chapter.LETTERS, rank=3, readers={Check: _test})
