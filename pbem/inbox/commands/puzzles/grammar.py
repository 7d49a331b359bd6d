"""Commands and line readers for puzzles."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, game_of, key_of, plain
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_YES, _NO = _WORDS.words("yes"), _WORDS.words("no")
_LONGEST = 60  # characters of a move


@dataclass(frozen=True)
class GetPuzzle(Command):
    """Asks for a puzzle, of a game or of any."""

    game: str = ""


@dataclass(frozen=True)
class Solve(Command):
    """Answers the open puzzle with a move."""

    text: str = ""


@dataclass(frozen=True)
class Puzzles(Command):
    """Sets whether puzzles may be made of the player's matches; None only asks."""

    gives: bool | None = None


def _puzzle(line: CommandLine) -> GetPuzzle | None:
    if line.match is not None:
        return None
    game = _game(line.words)
    return None if game is None else GetPuzzle(game)


def _solve(line: CommandLine) -> Solve | None:
    text = plain(line.rest)
    fits = text and len(text) <= _LONGEST and line.match is None
    return Solve(text) if fits and (line.clear or line.is_move(text, None)) else None


def _puzzles(line: CommandLine) -> Puzzles | None:
    said = fold(plain(line.rest))
    if line.match is not None:
        return None
    if not said:
        return Puzzles() if line.clear or line.own is None else None
    return Puzzles(said in _YES) if said in _YES or said in _NO else None


def _game(words: list[str]) -> str | None:
    """Returns the key of the game that the words name; "" for no words, None for other words."""
    if not words:
        return ""
    found = game_of(words)
    return key_of(found) if found else None


FAMILY = Family(
    __package__,
    Chapter.LOOKING,
    rank=6,
    readers={
        GetPuzzle: _puzzle,
        Solve: _solve,
        Puzzles: _puzzles,
    },
)
