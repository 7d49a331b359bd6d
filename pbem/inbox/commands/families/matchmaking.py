"""How a match comes about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, is_game, match_of, plain, typed
from pbem.inbox.commands.verb import Verb, verb
from pbem.matches.meeting.reasons import why

_WHO = re.compile(r"\w[\w.+'’-]{0,63}(?:@[\w.-]{1,190}\w)?")
_OPTION = re.compile(r"\S{0,79}[^\s,;:!?…]")
_MOST_OPTIONS = 12
_SETUP = re.compile(r"\s(?:--?)?(?:set-?up|disposizione)=", re.IGNORECASE)


@dataclass(frozen=True)
class Challenge(Command):
    """Challenges a player to a game, or whoever reads an e-mail address: he is invited. Say FIRST or SECOND,
    or the side that you want, the rules and the clock after the game, as in CHALLENGE Bruno zertz FIRST
    goals=short 3d/move. FORCED lets us play moves that leave no choice, HOLD=10 holds each letter for ten
    minutes in which UNDO is free, and NO-TAKEBACKS means what it says. PAIR makes two matches of it, the
    sides changed in the second; with PIE the second player may SWAP; RATED has it count for the ratings. A
    set-up of your own comes last, setup= and what the rules of the game say."""

    who: str
    game: str
    options: tuple[str, ...] = ()
    setup: str | None = None


@dataclass(frozen=True)
class Accept(Command):
    """Accepts a challenge or an offer. YES counts only alone on its line."""

    match: int | None = None


@dataclass(frozen=True)
class Decline(Command):
    """Declines a challenge or an offer. NO counts only alone on its line. One word says why in the language
    of the challenger: LATER, CLOCK, VARIANT, GAME, SIDE, BUSY, RATED, CASUAL."""

    match: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Rematch(Command):
    """Asks for a return match, with the same rules and terms and the sides changed. Answer the result with it."""

    match: int | None = None


@dataclass(frozen=True)
class Swap(Command):
    """Takes the first move over as your own and changes sides, where that is allowed: instead of your first
    move."""

    match: int | None = None


def _challenge(said: Spoken) -> Challenge | None:
    words, setup = split_setup(said.rest)
    match words:
        case [who, game, *options] if is_game(game) and _WHO.fullmatch(who):
            rules = read_options(options)
            return None if rules is None else Challenge(who, fold(game), rules, setup)
    return None


def split_setup(text: str) -> tuple[list[str], str | None]:
    """The words, and the set-up: the rest of the line, which may have blanks and end with a full stop."""
    wish, *setup = _SETUP.split(text, maxsplit=1)
    return plain(wish).split(), typed(setup[0]) if setup else None


def read_options(words: Sequence[str]) -> tuple[str, ...] | None:
    """What stands after the game; None where that is a sentence."""
    if len(words) > _MOST_OPTIONS or not all(map(_OPTION.fullmatch, words)):
        return None
    return tuple(re.sub(r"^--?(?=\w)", "", word) for word in words)


def _accept(said: Spoken) -> Accept | None:
    match, rest = match_of(said)
    return None if rest or (said.marked and match is None) else Accept(match)


def _decline(said: Spoken) -> Decline | None:
    """A reason needs a match or a clear verb, so that "Rifiuto di crederci" stays talk; NO takes one
    word of ours.

    RIFIUTO and one word, in a letter that answers none, is about a person: see `families.refusing`.
    """
    match, rest = match_of(said)
    if said.word == "rifiuto" and match is None and said.own is None and len(said.words) == 1:
        return None
    if match is None and (said.marked or (rest and not said.clear)):
        return None
    if rest and said.word == "no" and not (said.clear and why(rest)):
        return None
    return Decline(match, rest.strip())


def _rematch(said: Spoken) -> Rematch | None:
    match, rest = match_of(said)
    return None if rest else Rematch(match)


def _swap(said: Spoken) -> Swap | None:
    """SWAP, or as older servers had it MOVE 105 swap."""
    match, rest = match_of(said)
    if said.word in ("move", "muovo"):
        return Swap(match) if fold(plain(rest)) in ("swap", "scambio") else None
    return None if rest else Swap(match)


VERBS: Sequence[Verb] = (
    verb(
        Challenge,
        _challenge,
        en=("CHALLENGE", "CHALLENGE who game[:variant] [options]"),
        it=(
            "SFIDA",
            "SFIDA chi gioco[:variante] [opzioni]",
            "Sfida un giocatore a un gioco, o chi legge un indirizzo di posta: lo invitiamo. Dopo il gioco"
            " scrivi PRIMO o SECONDO, oppure il colore che vuoi, le regole e l'orologio, come in SFIDA Bruno"
            " zertz PRIMO goals=short 3g/mossa. FORZATE ci fa giocare le mosse senza scelta, TRATTIENI=10"
            " trattiene ogni lettera per dieci minuti in cui ANNULLA è libero, e SENZA-ANNULLAMENTI vuol dire"
            " proprio questo. COPPIA ne fa due partite, la seconda a colori scambiati; con TORTA chi è secondo"
            " può fare SCAMBIO; CLASSIFICA la fa valere per la classifica. Una disposizione tua viene per"
            " ultima: setup= e ciò che dicono le regole del gioco.",
        ),
    ),
    verb(
        Accept,
        _accept,
        en=("ACCEPT YES", "ACCEPT [match] or YES"),
        it=(
            "ACCETTO SÌ",
            "ACCETTO [partita] oppure SÌ",
            "Accetta una sfida o una proposta. SÌ vale solo da solo sulla sua riga.",
        ),
    ),
    verb(
        Decline,
        _decline,
        en=("DECLINE NO REJECT", "DECLINE [match] [reason] or NO"),
        it=(
            "RIFIUTO NO",
            "RIFIUTO [partita] [motivo] oppure NO",
            "Rifiuta una sfida o una proposta. NO vale solo da solo sulla sua riga. Una parola dice perché nella"
            " lingua di chi sfida: DOPO, TEMPO, VARIANTE, GIOCO, COLORE, OCCUPATO, CLASSIFICA, AMICHEVOLE.",
        ),
    ),
    verb(
        Rematch,
        _rematch,
        en=("REMATCH", "REMATCH [match]"),
        it=(
            "RIVINCITA",
            "RIVINCITA [partita]",
            "Chiede la rivincita, con le stesse regole e condizioni e i colori scambiati. Rispondi così alla"
            " lettera del risultato.",
        ),
    ),
    verb(
        Swap,
        _swap,
        en=("SWAP MOVE", "SWAP [match]"),
        it=(
            "SCAMBIO MUOVO",
            "SCAMBIO [partita]",
            "Dove è permesso, ti prendi la prima mossa e scambi i colori, al posto della tua prima mossa.",
        ),
    ),
)
