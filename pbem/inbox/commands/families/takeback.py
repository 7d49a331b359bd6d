"""UNDO: a move is taken back, or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, number_of, plain
from pbem.inbox.commands.verb import Verb, verb


@dataclass(frozen=True)
class Undo(Command):
    """Takes your last move back, if your opponent agrees. UNDO 3 takes the last three back, whoever played
    them. Where a match holds its letters, your last move is free as long as its letter is held."""

    match: int | None = None
    plies: int | None = None


def _undo(said: Spoken) -> Undo | None:
    """In answer to a letter a number alone is that of moves, unless it is that of the match."""
    match, rest = number_of(plain(said.rest))
    more, last = number_of(rest)
    if last or (said.match is not None and more is not None):
        return None
    if said.match is not None:
        match, more = said.match, match
    elif match is not None and more is None and said.own not in (None, match):
        match, more = None, match
    if more is not None and not 0 < more < 1000:
        return None
    return Undo(match, more)


VERBS: Sequence[Verb] = (
    verb(
        Undo,
        _undo,
        en=("UNDO TAKEBACK", "UNDO [match] [number of moves]"),
        it=(
            "ANNULLA",
            "ANNULLA [partita] [numero di mosse]",
            "Annulla la tua ultima mossa, se il tuo avversario è d'accordo. ANNULLA 3 annulla le ultime tre,"
            " di chiunque siano. Dove la partita trattiene le lettere, finché la lettera è trattenuta la tua"
            " ultima mossa si annulla liberamente.",
        ),
    ),
)
