"""Looking at a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import GUARD, Spoken, fold, match_of, plain
from pbem.inbox.commands.verb import Verb, verb

AT = {"at", "a", "al", "alla"}  # SHOW 105 AT 12, MOSTRA 105 ALLA 12
LAST = {"last", "ultime", "ultimi"}  # SHOW 105 LAST 6, MOSTRA 105 ULTIME 6
ARTICLES = {"the", "le", "gli"}


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some move; with LAST 6 the boards after the last six moves,
    side by side."""

    match: int | None = None
    ply: int | None = None
    last: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Describe(Command):
    """Describes the board of a match in words alone, with the last and the legal moves: to be read out."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class History(Command):
    """Lists the moves of a match, when they were played and how long they took."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class RecordOf(Command):
    """Sends the record of a match as files: text, JSON, and an animated picture."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Status(Command):
    """Says in one line for each of your matches, or for one, whose turn it is, until when, and the last move."""

    match: int | None = None
    reading: ClassVar[bool] = True


def _show(said: Spoken) -> Show | None:
    match, rest = match_of(replace(said, rest=re.sub(r"(?<=[0-9])\s*#", " #", plain(said.rest))))
    match [word for word in rest.split() if fold(word) not in ARTICLES]:
        case []:
            return Show(match)
        case [at, ply] if fold(at) in AT and _is_number(ply):
            return Show(match, int(ply))
        case [last, most] if fold(last) in LAST and _is_number(most):
            return Show(match, last=int(most))
        case [at, ply, last, most] if (
            fold(at) in AT and fold(last) in LAST and ply.isdecimal() and most.isdecimal()
        ):
            return Show(match, int(ply[:4]), int(most[:4]))
        case [guard] if match is not None and GUARD.fullmatch(guard):
            return Show(match, int(guard[1:]))
    return None


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 5


def _alone(kind: Callable[[int | None], Command]) -> Callable[[Spoken], Command | None]:
    """The verb with nothing but a match."""

    def read(said: Spoken) -> Command | None:
        match, rest = match_of(said)
        return None if plain(rest) else kind(match)

    return read


VERBS: Sequence[Verb] = (
    verb(
        Show,
        _show,
        en=("SHOW", "SHOW [match] [AT n] [LAST n]"),
        it=(
            "MOSTRA",
            "MOSTRA [partita] [A n] [ULTIME n]",
            "Mostra il tavoliere di una partita, adesso o dopo una certa mossa; con ULTIME 6 i tavolieri dopo le"
            " ultime sei mosse, uno accanto all'altro.",
        ),
    ),
    verb(
        Describe,
        _alone(Describe),
        en=("DESCRIBE", "DESCRIBE [match]"),
        it=(
            "DESCRIVI",
            "DESCRIVI [partita]",
            "Descrive il tavoliere di una partita con le sole parole, con le ultime mosse e quelle possibili: da"
            " ascoltare.",
        ),
    ),
    verb(
        History,
        _alone(History),
        en=("HISTORY", "HISTORY [match]"),
        it=(
            "STORIA",
            "STORIA [partita]",
            "Elenca le mosse di una partita, quando sono state giocate e quanto tempo hanno preso.",
        ),
    ),
    verb(
        RecordOf,
        _alone(RecordOf),
        en=("RECORD", "RECORD [match]"),
        it=(
            "FORMULARIO REGISTRO",
            "FORMULARIO [partita]",
            "Manda la partita in file: testo, JSON e un'immagine animata.",
        ),
    ),
    verb(
        Status,
        _alone(Status),
        en=("STATUS", "STATUS [match]"),
        it=(
            "STATO",
            "STATO [partita]",
            "Dice in una riga per ciascuna delle tue partite, o per una sola, a chi tocca, entro quando, e"
            " l'ultima mossa.",
        ),
    ),
)
