"""Command and line reader for the data export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine
from pbem.wording import fold, wording

_PHRASES = wording(__package__).words("phrases")


@dataclass(frozen=True)
class MyData(Command):
    """Mails all data kept of the player to their registered address."""

    private: ClassVar[bool] = True


def _my_data(line: CommandLine) -> MyData | None:
    # In a reply to a turn "My data." may be talk, in capitals it is not.
    said = fold(" ".join((line.word, *line.words)))
    meant = line.match is None and (line.rest.isupper() or line.own is None)
    return MyData() if meant and said in _PHRASES else None


FAMILY = Family(__package__, Chapter.LETTERS, rank=5, readers={MyData: _my_data})
