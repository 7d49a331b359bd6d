"""The lists of what there is, and help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, is_game
from pbem.inbox.commands.verb import Verb, verb


@dataclass(frozen=True)
class Help(Command):
    """Sends this list, or the rules and the notation of a game."""

    topic: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Games(Command):
    """Lists your matches and the games that can be played here."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Standings(Command):
    """There are no ratings and no standings here yet: each match stands for itself."""

    reading: ClassVar[bool] = True


def _help(said: Spoken) -> Help | None:
    match said.words:
        case []:
            return Help()
        case [topic] if said.clear or is_game(topic) or fold(topic) in said.verbs:
            return Help(topic)
    return None


def _games(said: Spoken) -> Games | None:
    return None if said.rest or said.match is not None else Games()


def _standings(said: Spoken) -> Standings | None:
    most = 2 if said.clear else 0
    return Standings() if said.match is None and len(said.words) <= most else None


VERBS: Sequence[Verb] = (
    verb(
        Help,
        _help,
        en=("HELP", "HELP [command or game]"),
        it=(
            "AIUTO",
            "AIUTO [comando o gioco]",
            "Manda questo elenco, oppure le regole e la notazione di un gioco.",
        ),
    ),
    verb(
        Games,
        _games,
        en=("GAMES", "GAMES"),
        it=("PARTITE", "PARTITE", "Elenca le tue partite e i giochi che si possono giocare qui."),
    ),
    verb(
        Standings,
        _standings,
        en=("STANDINGS RATING RATINGS", "STANDINGS, RATING who"),
        it=(
            "CLASSIFICA PUNTEGGIO",
            "CLASSIFICA, PUNTEGGIO chi",
            "Qui non ci sono ancora punteggi né classifiche: ogni partita vale per sé.",
        ),
    ),
)
