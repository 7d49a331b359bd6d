"""Commands and line readers for contests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, number_of
from pbem.wording import fold, wording

_WORDS = wording(__package__)
ONCE, ALWAYS = (frozenset(map(fold, _WORDS.words(key))) for key in ("once", "always"))


@dataclass(frozen=True)
class Contests(Command):
    """Lists all contests that are open or being played."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Enter(Command):
    """Enters a contest.

    `contest` None: the only one that takes entries. `always`: every edition; None: the contest's default.
    """

    contest: int | None = None
    always: bool | None = None


@dataclass(frozen=True)
class Leave(Command):
    """Leaves a contest: the entry is removed before it begins, a withdrawal after that."""

    contest: int | None = None
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class Table(Command):
    """Shows the table of a contest."""

    contest: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Ladder(Command):
    """Shows the ladder, and the players that can be challenged there."""

    contest: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Climb(Command):
    """Challenges a player for a higher place on the ladder."""

    who: str
    contest: int | None = None


def _contests(line: CommandLine) -> Contests | None:
    alone = not line.rest and line.match is None
    return Contests() if alone and (line.clear or line.own is None) else None


def _enter(line: CommandLine) -> Enter | None:
    found = _numbered(line)
    if found is None:
        return None
    contest, words = found
    match [fold(word) for word in words]:
        case []:
            return Enter(contest)
        case [word] if word in ONCE | ALWAYS:
            return Enter(contest, word in ALWAYS)
    return None


def _leave(line: CommandLine) -> Leave | None:
    found = _numbered(line)
    return Leave(found[0]) if found and not found[1] else None


def _table(line: CommandLine) -> Table | None:
    # Without a number it is the list of ratings.
    found = _numbered(line)
    return Table(found[0]) if found and found[0] is not None and not found[1] else None


def _ladder(line: CommandLine) -> Ladder | None:
    found = _numbered(line)
    return Ladder(found[0]) if found and not found[1] else None


def _climb(line: CommandLine) -> Climb | None:
    found = _numbered(line)
    if found is None or len(found[1]) != 1:
        return None
    return Climb(found[1][0], found[0])


def _numbered(line: CommandLine) -> tuple[int | None, list[str]] | None:
    """Returns the contest and the words behind it. None without a number or capitals ("Leave it")."""
    number, rest = (line.match, line.rest) if line.match is not None else number_of(line.rest)
    if number is None and not line.clear:
        return None
    return number, rest.removesuffix(".").split()


FAMILY = Family(
    __package__,
    Chapter.MEETING,
    rank=6,
    readers={
        Contests: _contests,
        Enter: _enter,
        Leave: _leave,
        Table: _table,
        Ladder: _ladder,
        Climb: _climb,
    },
)
