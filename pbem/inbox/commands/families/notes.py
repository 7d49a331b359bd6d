"""What a player writes down for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, match_of, plain, text_of
from pbem.inbox.commands.verb import Verb, verb

CLEAR = {"clear", "cancella"}


@dataclass(frozen=True)
class Note(Command):
    """Keeps a note about a match for you alone; you get all of them back when it is over. NOTE CLEAR throws
    them away."""

    text: str
    match: int | None = None
    clear: bool = False


@dataclass(frozen=True)
class Notes(Command):
    """Sends what you have noted about a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


def _note(said: Spoken) -> Note | Notes | None:
    """NOTE with nothing behind it asks for them, as the Italian plural does.

    "Note: I am away" is said to the opponent; a note that is one has capitals, or names its match.
    """
    if listed := _notes(said):
        return listed
    match, text = match_of(said, marked=said.own is not None)
    if fold(plain(text)) in CLEAR:
        return Note("", match, clear=True)
    match, text = text_of(said)
    return Note(text, match) if said.capitals or match is not None else None


def _notes(said: Spoken) -> Notes | None:
    match, rest = match_of(said)
    return None if plain(rest) else Notes(match)


VERBS: Sequence[Verb] = (
    verb(
        Note,
        _note,
        en=("NOTE", "NOTE [match:] text, NOTE CLEAR"),
        it=(
            "NOTA",
            "NOTA [partita:] testo, NOTA CANCELLA",
            "Tiene un appunto su una partita, per te solo; quando è finita li ricevi tutti. NOTA CANCELLA li butta"
            " via.",
        ),
    ),
    verb(
        Notes,
        _notes,
        en=("NOTES", "NOTES [match]"),
        it=("APPUNTI", "APPUNTI [partita]", "Manda ciò che hai annotato su una partita."),
    ),
)
