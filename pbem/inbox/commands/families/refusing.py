"""How much is enough for a player, and whom they would rather not meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, is_game
from pbem.inbox.commands.verb import Verb, verb

_NUMBER = re.compile(r"[0-9]{1,3}|none|off|nessuno")  # LIMIT zertz 3, LIMIT zertz NONE
_NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


@dataclass(frozen=True)
class Limit(Command):
    """How many matches are enough for you: LIMIT 10 for all games, LIMIT zertz 3 for one, NONE for no
    limit. Nobody can challenge you to more."""

    game: str = ""
    most: int | None = None


@dataclass(frozen=True)
class Limits(Command):
    """Lists your limits, and whom you refuse."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Refuse(Command):
    """Refuses all challenges of a player, or those to one game. He is not told why."""

    who: str
    game: str = ""


@dataclass(frozen=True)
class Block(Command):
    """Refuses a player's challenges, and his messages too."""

    who: str


@dataclass(frozen=True)
class Allow(Command):
    """Takes back what you said of a player with REFUSE or BLOCK."""

    who: str


def _limits(said: Spoken) -> Limits | None:
    return None if said.rest or said.match is not None else Limits()


def _limit(said: Spoken) -> Limit | None:
    match said.words:
        case [most] if said.match is None and _NUMBER.fullmatch(fold(most)):
            return Limit("", _number(most))
        case [game, most] if said.match is None and is_game(game) and _NUMBER.fullmatch(fold(most)):
            return Limit(_key(game), _number(most))
    return None


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() else None


def _key(game: str) -> str:
    """A limit is for a game with all its variants."""
    return re.split("[:+]", fold(game))[0]


def _refuse(said: Spoken) -> Refuse | None:
    if not _is_about_somebody(said):
        return None
    match said.words:
        case [who] if _NAME.fullmatch(who):
            return Refuse(who)
        case [who, game] if _NAME.fullmatch(who) and is_game(game):
            return Refuse(who, _key(game))
    return None


def _whom(kind: Callable[[str], Command]) -> Callable[[Spoken], Command | None]:
    def read(said: Spoken) -> Command | None:
        match said.words:
            case [who] if _is_about_somebody(said) and _NAME.fullmatch(who):
                return kind(who)
        return None

    return read


def _is_about_somebody(said: Spoken) -> bool:
    """ "Allow me" is talk, "Allow Carla" is not, but in a reply it may be; RIFIUTO declines there what it answers."""
    if said.match is not None or (said.word == "rifiuto" and said.own is not None):
        return False
    return said.clear or (said.own is None and said.rest[:1].isupper())


VERBS: Sequence[Verb] = (
    verb(
        Limit,
        _limit,
        en=("LIMIT", "LIMIT [game] number or NONE"),
        it=(
            "LIMITE",
            "LIMITE [gioco] numero o NESSUNO",
            "Quante partite ti bastano: LIMITE 10 per tutti i giochi, LIMITE zertz 3 per uno, NESSUNO per"
            " togliere il limite. Nessuno può sfidarti oltre.",
        ),
    ),
    verb(
        Limits,
        _limits,
        en=("LIMITS", "LIMITS"),
        it=("LIMITI", "LIMITI", "Elenca i tuoi limiti, e chi escludi."),
    ),
    verb(
        Refuse,
        _refuse,
        en=("REFUSE", "REFUSE who [game]"),
        it=(
            "ESCLUDO RIFIUTO",
            "ESCLUDO chi [gioco]",
            "Esclude tutte le sfide di un giocatore, o quelle a un gioco solo. Lui non saprà perché."
            " In una lettera nuova va bene anche RIFIUTO e il nome.",
        ),
    ),
    verb(
        Block,
        _whom(Block),
        en=("BLOCK", "BLOCK who"),
        it=("BLOCCO", "BLOCCO chi", "Esclude le sfide di un giocatore, e anche i suoi messaggi."),
    ),
    verb(
        Allow,
        _whom(Allow),
        en=("ALLOW", "ALLOW who"),
        it=("AMMETTO", "AMMETTO chi", "Toglie ciò che hai detto di un giocatore con ESCLUDO o BLOCCO."),
    ),
)
