"""What is said to others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, match_of
from pbem.inbox.commands.verb import Verb, verb


@dataclass(frozen=True)
class Say(Command):
    """Sends a message to your opponent; so does any line after your move."""

    text: str
    match: int | None = None


def _say(said: Spoken) -> Say | None:
    """In a reply a bare number is text: "SAY 2 more moves" names no match."""
    match, text = match_of(said, marked=said.own is not None)
    if not text or not (said.clear or match is not None):
        return None
    return Say(text, match)


VERBS: Sequence[Verb] = (
    verb(
        Say,
        _say,
        en=("SAY", "SAY [match:] text"),
        it=(
            "DICO",
            "DICO [partita:] testo",
            "Manda un messaggio al tuo avversario, come ogni riga dopo la mossa.",
        ),
    ),
)
