"""Command and line reader for trying moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of, plain, unnumbered
from pbem.inbox.commands.playing.grammar import read_move
from pbem.wording import wording

_BETWEEN = re.compile(rf"\s*;\s*|\s+(?:{wording(__package__).either('then')})\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Try(Command):
    """Shows where moves would lead; nothing is played."""

    moves: tuple[str, ...]
    match: int | None = None
    reading: ClassVar[bool] = True


def _try(line: CommandLine) -> Try | None:
    # In capitals one digit is enough: what is tried must not reach the opponent as talk.
    match, rest = match_of(line)
    if not rest:
        match, rest = line.match, line.rest
    moves = tuple(filter(None, (unnumbered(plain(move)) for move in _BETWEEN.split(rest))))
    shaped = all(read_move(move, match, line.is_move, attempt=True) for move in moves)
    if not moves or not (shaped or (line.clear and any(map(str.isdecimal, rest)))):
        return None
    return Try(moves, match)


FAMILY = Family(__package__, Chapter.LOOKING, rank=1, readers={Try: _try})
