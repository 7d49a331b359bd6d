"""Commands and line readers for moves, draws and resignations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from games.move_numbers import MoveNumber
from pbem.inbox.commands.cells import cells_in, names_cell
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import GUARD, CommandLine, IsMove, match_of, plain, typed
from pbem.inbox.understanding.normalization import unquoted, without_courtesy, without_last_smileys
from pbem.wording import wording

_LONGEST_MOVE = 200
_MOST_LABELS = 2
_WORDS = wording(__package__)
_LABEL = re.compile(
    rf"(?:(?:{_WORDS.either('my')}) )?(?:{_WORDS.either('move')})\s?:\s*|(?:{_WORDS.either('announces')})\s?[:,]?\s+",
    re.IGNORECASE,
)
_LOOSELY = re.compile(rf"(?:{_WORDS.either('loosely')})[:,]?\s+", re.IGNORECASE)
_AFTER = re.compile(rf"(?<=[\w)])[\s,.;!-]+(?:{_WORDS.either('after')})\s*[.!]*$", re.IGNORECASE)
_DOUBTS = re.compile(r"(?<!!)\?$|\.\.$")  # "e4?" and "a2..." are doubts; "e4!?" is a move


@dataclass(frozen=True)
class Move(Command):
    """Plays a move; with a `number`, only if it is still the move of that number."""

    text: str
    match: int | None = None
    number: MoveNumber | None = None


@dataclass(frozen=True)
class Draw(Command):
    """Offers a draw."""

    match: int | None = None


@dataclass(frozen=True)
class Resign(Command):
    """Resigns the match."""

    match: int | None = None
    confirms: ClassVar[bool] = True


def _move(line: CommandLine) -> Move | None:
    # Where no move follows the number, the number is the move, as in Nim.
    match, rest = match_of(line)
    if not rest:
        match, rest = line.match, line.rest
    return read_move(rest, match, line.is_move, attempt=True)


def read_move(text: str, match: int | None, is_move: IsMove, *, attempt: bool = False) -> Move | None:
    """Reads a move; with `attempt`, any single word with letters and digits. None when it is neither."""
    written = typed(text).rstrip("!")
    guard = GUARD.search(written)  # its dots are not those of a sentence
    move = written[: guard.start()] if guard else plain(written)
    if not move or len(move) > _LONGEST_MOVE or _DOUBTS.search(move):
        return None
    tried = attempt and re.fullmatch(r"(?=.*[0-9])(?=.*[^\W\d_])\S+", re.sub(r"\s*,\s*", ",", move))
    if not (tried or is_move(move, match)):
        return None
    return Move(move, match, MoveNumber.read(guard[1]) if guard else None)


def read_decorated_move(text: str, match: int | None, is_move: IsMove) -> Move | None:
    """Reads a move in quotation marks or brackets, after "My move:" or "I play", before a smile or thanks."""
    # It has to name a cell: "(3)" counts something, and "pass :)" may be said of the weather.
    written = text.strip()[:_LONGEST_MOVE]
    loosely = _LOOSELY.match(written)
    said = written[loosely.end() :] if loosely else written
    bare = _AFTER.sub("", without_last_smileys(unlabelled(said)).strip())
    if _DOUBTS.search(bare):
        return None
    bare = without_courtesy(without_last_smileys(unquoted(bare.rstrip(".!"))).strip())
    if bare == text.strip() or not names_cell(bare) or (loosely and len(cells_in(bare)) == 1):
        return None
    return read_move(bare, match, is_move)


def unlabelled(text: str) -> str:
    """Removes what announces a move, at most twice: `then I'll play`."""
    for _ in range(_MOST_LABELS):
        announced = _LABEL.match(text)
        text = text[announced.end() :] if announced else text
    return text


def _draw(line: CommandLine) -> Draw | None:
    match, rest = match_of(line)
    return None if rest else Draw(match)


def _resign(line: CommandLine) -> Resign | None:
    match, rest = match_of(line)
    return None if rest else Resign(match)


FAMILY = Family(__package__, Chapter.PLAYING, rank=1, readers={Move: _move, Draw: _draw, Resign: _resign})
