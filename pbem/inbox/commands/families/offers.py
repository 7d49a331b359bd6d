"""Offers to whoever wants to play: made, listed, taken, withdrawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.families.matchmaking import read_options, split_setup
from pbem.inbox.commands.spoken import Spoken, fold, is_game
from pbem.inbox.commands.verb import Verb, verb

_KEEP_NUMBER = re.compile(r"\b(keep|tengo|mantengo)\s+(?=\d)", re.IGNORECASE)
_KEEP = re.compile(r"(?:keep|tengo|mantengo)(?:=?(\d{1,2}))?", re.IGNORECASE)


@dataclass(frozen=True)
class Offer(Command):
    """Offers a match to anybody, with the options of CHALLENGE. KEEP 3 renews the offer until three of
    its matches run at a time; ON-TIME=90 asks for opponents who make 90 % of their turns in time,
    LANGUAGE=en for those who write English."""

    game: str
    options: tuple[str, ...] = ()
    keep: int | None = None
    setup: str | None = None


@dataclass(frozen=True)
class Open(Command):
    """Lists the open offers, or those of a game."""

    game: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Join(Command):
    """Takes an open offer, by its number: the match begins."""

    number: int


@dataclass(frozen=True)
class Close(Command):
    """Withdraws an offer of yours, by its number. What has begun goes on."""

    number: int


def _offer(said: Spoken) -> Offer | None:
    words, setup = split_setup(re.sub(_KEEP_NUMBER, r"\1=", said.rest))
    match words:
        case [game, *options] if is_game(game) and said.match is None:
            rules = read_options(options)
            return None if rules is None else _kept(fold(game), rules, setup)
    return None


def _kept(game: str, rules: Sequence[str], setup: str | None) -> Offer:
    """KEEP alone is KEEP 1: a new offer whenever the match is over."""
    kept = [said for rule in rules if (said := _KEEP.fullmatch(rule))]
    others = tuple(rule for rule in rules if not _KEEP.fullmatch(rule))
    return Offer(game, others, int(kept[-1][1] or 1) if kept else None, setup)


def _open(said: Spoken) -> Open | None:
    match said.words:
        case [] if said.match is None and (said.own is None or said.clear):
            return Open()
        case [game] if said.match is None and is_game(game):
            return Open(re.split("[:+]", fold(game))[0])
    return None


def _numbered(kind: Callable[[int], Command]) -> Callable[[Spoken], Command | None]:
    def read(said: Spoken) -> Command | None:
        match said.words:
            case [word] if said.match is None and (found := re.fullmatch(r"[\[#]?(\d{1,9})\]?", word)):
                return kind(int(found[1]))
            case [] if said.match is not None:
                return kind(said.match)
        return None

    return read


VERBS: Sequence[Verb] = (
    verb(
        Offer,
        _offer,
        en=("OFFER", "OFFER game[:variant] [options]"),
        it=(
            "OFFRO",
            "OFFRO gioco[:variante] [opzioni]",
            "Offre una partita a chi vuole, con le opzioni di SFIDA. TENGO 3 rinnova l'offerta finché non se"
            " ne giocano tre insieme; PUNTUALE=90 chiede avversari che facciano in tempo il 90 % delle"
            " mosse, LINGUA=it chi scrive in italiano.",
        ),
    ),
    verb(
        Open,
        _open,
        en=("OPEN", "OPEN [game]"),
        it=("APERTE", "APERTE [gioco]", "Elenca le offerte aperte, o quelle di un gioco."),
    ),
    verb(
        Join,
        _numbered(Join),
        en=("JOIN", "JOIN number"),
        it=("ENTRO", "ENTRO numero", "Accetta un'offerta aperta con il suo numero: la partita comincia."),
    ),
    verb(
        Close,
        _numbered(Close),
        en=("CLOSE", "CLOSE number"),
        it=(
            "CHIUDO",
            "CHIUDO numero",
            "Ritira una tua offerta con il suo numero. Ciò che è cominciato continua.",
        ),
    ),
)
