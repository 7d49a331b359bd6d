"""Commands and line readers for ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.registry import heard
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine
from pbem.wording import fold, wording

OPPONENT = wording(__package__).words("opponent")  # in a reply about a match
_STATISTICS = wording(__package__).words("statistics")
_NAME = 2  # words of a name


@dataclass(frozen=True)
class Rating(Command):
    """Shows the ratings of a player, by default the sender's."""

    who: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Ratings(Command):
    """Shows the best players of a game with its variant, by default of the games with the most players."""

    game: str = ""
    reading: ClassVar[bool] = True


def _rating(line: CommandLine) -> Rating | Ratings | None:
    if line.word in _STATISTICS:
        # In a reply to a turn "Stats." may be said to the opponent.
        alone = not line.rest and line.match is None and (line.clear or line.own is None)
        return Rating() if alone else None
    return _read(line, Rating())


def _ratings(line: CommandLine) -> Rating | Ratings | None:
    return _read(line, Ratings())


def _read(line: CommandLine, alone: Rating | Ratings) -> Rating | Ratings | None:
    # RATING and RATINGS differ by one letter, so either takes a game or a name.
    words = line.words
    if line.match is not None or any(word.lstrip("#").isdecimal() for word in words):
        return None  # the table of a contest
    if not words:
        return alone
    if (found := heard(words)) and not found[1]:
        return Ratings(found[0])
    who = " ".join(words)
    return Rating(who) if fold(who) in OPPONENT or (line.clear and len(words) <= _NAME) else None


FAMILY = Family(__package__, Chapter.BEGINNING, rank=3, readers={Rating: _rating, Ratings: _ratings})
