"""Command and line reader for the printed name."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_YES, _NO, _NAME = (
    {fold(word) for words in _WORDS.each(key).values() for word in words} for key in ("yes", "no", "name")
)
LONGEST = 80  # characters of a name


@dataclass(frozen=True)
class Print(Command):
    """Allows or withdraws a printed name.

    `name` "" is the one that the organiser asked for. `agreed` False withdraws it; None only asks for the
    state.
    """

    agreed: bool | None = None
    name: str = ""


def _print(line: CommandLine) -> Print | None:
    words = [fold(word) for word in line.words]
    if line.match is not None:
        return None
    match words:
        case []:
            return Print()
        case [word] if word in _YES:
            return Print(agreed=True)
        case [word] if word in _NO:
            return Print(agreed=False)
        case [word, _, *_] if word in _NAME and line.clear:
            name = " ".join(line.words[1:])
            return Print(agreed=True, name=name) if len(name) <= LONGEST else None
    return None


FAMILY = Family(__package__, Chapter.LETTERS, rank=6, readers={Print: _print})
