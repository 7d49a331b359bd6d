"""Looking at a match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import GUARD, Spoken, fold, match_of, plain
from pbem.inbox.commands.verb import Verb, verb

AT = {"at", "a", "al", "alla"}  # SHOW 105 AT 12, MOSTRA 105 ALLA 12


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some move."""

    match: int | None = None
    ply: int | None = None
    reading: ClassVar[bool] = True


def _show(said: Spoken) -> Show | None:
    match, rest = match_of(replace(said, rest=re.sub(r"(?<=[0-9])\s*#", " #", plain(said.rest))))
    match rest.split():
        case []:
            return Show(match)
        case [word, ply] if fold(word) in AT and ply.isdecimal() and len(ply) < 5:
            return Show(match, int(ply))
        case [guard] if match is not None and GUARD.fullmatch(guard):
            return Show(match, int(guard[1:]))
    return None


VERBS: Sequence[Verb] = (
    verb(
        Show,
        _show,
        en=("SHOW", "SHOW [match] [AT number]"),
        it=(
            "MOSTRA",
            "MOSTRA [partita] [A numero]",
            "Mostra il tavoliere di una partita, adesso o dopo una certa mossa.",
        ),
    ),
)
