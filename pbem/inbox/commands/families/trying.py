"""Trying a line of moves without playing it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.families.playing import read_move
from pbem.inbox.commands.spoken import Spoken, match_of, plain
from pbem.inbox.commands.verb import Verb, verb

_BETWEEN = re.compile(r"\s*;\s*|\s+(?:then|poi)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Try(Command):
    """Shows where moves would lead, yours and your opponent's in turn, parted by semicolons: one picture with
    all the boards. Nothing is played, and nobody else sees it; it need not be your turn."""

    moves: tuple[str, ...]
    match: int | None = None
    reading: ClassVar[bool] = True


def _try(said: Spoken) -> Try | None:
    """In capitals one digit is enough: what is tried must not be taken for talk, and be told to the opponent."""
    match, rest = match_of(said)
    if not rest:
        match, rest = said.match, said.rest
    moves = tuple(filter(None, map(plain, _BETWEEN.split(rest))))
    shaped = all(read_move(move, match, said.is_move, attempt=True) for move in moves)
    if not moves or not (shaped or (said.clear and any(map(str.isdecimal, rest)))):
        return None
    return Try(moves, match)


VERBS: Sequence[Verb] = (
    verb(
        Try,
        _try,
        en=("TRY PREVIEW", "TRY [match] move; move; ..."),
        it=(
            "PROVO",
            "PROVO [partita] mossa; mossa; ...",
            "Mostra dove porterebbero delle mosse, tue e dell'avversario a turno, separate da punto e virgola: un'unica"
            " immagine con tutti i tavolieri. Non si gioca nulla e nessun altro la vede; non occorre che tocchi a te.",
        ),
    ),
)
