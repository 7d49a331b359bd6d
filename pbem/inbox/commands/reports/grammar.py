"""Command and line reader for reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of


@dataclass(frozen=True)
class Report(Command):
    """Reports abuse by the opponent in a match, or by the player named first in the text."""

    text: str = ""
    match: int | None = None
    takes_talk: ClassVar[bool] = True


def _report(line: CommandLine) -> Report | None:
    # In small letters only with a match, in a letter of its own: "Report to me tomorrow" is talk.
    match, text = match_of(line, marked=line.own is not None and not line.capitals)
    if match is None and line.own is None and not text:
        return None
    return Report(text, match) if line.capitals or (line.own is None and match is not None) else None


FAMILY = Family(__package__, Chapter.MEETING, rank=5, readers={Report: _report})
