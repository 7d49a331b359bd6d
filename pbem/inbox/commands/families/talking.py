"""What is said to others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, text_of
from pbem.inbox.commands.verb import Verb, verb

WHO = re.compile(r"\w[\w.'’-]{0,39}")
_TO = re.compile(r"^(?:a|ad)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Say(Command):
    """Sends a message to your opponent; so does any line after your move."""

    text: str
    match: int | None = None


@dataclass(frozen=True)
class Message(Command):
    """Sends a message to a player, beside any match; the lines below belong to it. Neither of you sees the
    other's address, and an answer comes back in the same way."""

    who: str
    text: str = ""
    takes_talk: ClassVar[bool] = True


def _say(said: Spoken) -> Say | None:
    """After `SAY 105:` come the lines below."""
    match, text = text_of(said)
    if not (text and said.clear) and match is None:
        return None
    return Say(text, match)


def _message(said: Spoken) -> Message | None:
    """In small letters only in a letter of its own, about somebody: "Message received: thanks" is talk."""
    rest = _TO.sub("", said.rest) if fold(said.word) == "scrivo" else said.rest
    who, colon, text = rest.partition(":")
    if said.match is not None or not colon or not WHO.fullmatch(who.strip()):
        return None
    meant = said.clear or (said.own is None and rest[:1].isupper())
    return Message(who.strip(), text.strip()) if meant else None


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
    verb(
        Message,
        _message,
        en=("MESSAGE", "MESSAGE who: text"),
        it=(
            "SCRIVO",
            "SCRIVO A chi: testo",
            "Manda un messaggio a un giocatore, al di fuori delle partite; le righe sotto ne fanno parte. Nessuno dei"
            " due vede l'indirizzo dell'altro, e la risposta torna per la stessa via.",
        ),
    ),
)
