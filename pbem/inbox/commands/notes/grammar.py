"""Commands and line readers for notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of, plain, text_of
from pbem.wording import fold, wording

_CLEAR = wording(__package__).words("clear")


@dataclass(frozen=True)
class Note(Command):
    """Keeps a private note about a match; `clear` deletes all of them."""

    text: str
    match: int | None = None
    clear: bool = False


@dataclass(frozen=True)
class Notes(Command):
    """Sends the player's notes about a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


def _note(line: CommandLine) -> Note | Notes | None:
    """Reads a note; NOTE alone asks for the notes, as the Italian plural does."""
    # "Note: I am away" is said to the opponent: a note has capitals, or names its match.
    if listed := _notes(line):
        return listed
    match, text = match_of(line, marked=line.own is not None)
    if fold(plain(text)) in _CLEAR:
        return Note("", match, clear=True)
    match, text = text_of(line)
    return Note(text, match) if line.capitals or match is not None else None


def _notes(line: CommandLine) -> Notes | None:
    match, rest = match_of(line)
    return None if plain(rest) else Notes(match)


FAMILY = Family(__package__, Chapter.LOOKING, rank=3, readers={Note: _note, Notes: _notes})
