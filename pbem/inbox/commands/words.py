"""The verbs of every language, how each is written, and the HELP letter made of them."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc

from pbem.inbox.commands.command import (
    Accept,
    AddAddress,
    Addresses,
    Challenge,
    Command,
    Decline,
    Draw,
    Games,
    Help,
    Letters,
    Move,
    Register,
    RemoveAddress,
    Resign,
    Say,
    SetAddress,
    Show,
    Start,
    Stop,
)
from pbem.players.subscriptions import Subscription


@dataclass(frozen=True)
class Verb:
    """One command in one language: its words, the first of which HELP shows, and what may follow."""

    command: type[Command]
    words: tuple[str, ...]
    usage: str
    does: str


def _verb(command: type[Command], words: str, usage: str, does: str = "") -> Verb:
    return Verb(
        command, tuple(words.split()), usage, " ".join((does or cleandoc(command.__doc__ or "")).split())
    )


VERBS: Mapping[str, tuple[Verb, ...]] = {
    "en": (
        _verb(Help, "HELP", "HELP [command or game]"),
        _verb(Register, "REGISTER", "REGISTER name"),
        _verb(Games, "GAMES", "GAMES"),
        _verb(Challenge, "CHALLENGE", "CHALLENGE who game[:variant] [options]"),
        _verb(Accept, "ACCEPT YES", "ACCEPT [match] or YES"),
        _verb(Decline, "DECLINE NO REJECT", "DECLINE [match] [reason] or NO"),
        _verb(Move, "MOVE", "[MOVE] [match] move[#number]"),
        _verb(Show, "SHOW", "SHOW [match] [AT number]"),
        _verb(Draw, "DRAW", "DRAW [match]"),
        _verb(Resign, "RESIGN", "RESIGN [match]"),
        _verb(Say, "SAY", "SAY [match:] text"),
        _verb(Letters, "LETTERS", "LETTERS"),
        _verb(Stop, "STOP UNSUBSCRIBE", "STOP [sort of letters or ALL]"),
        _verb(Start, "START", "START sort of letters or ALL"),
        _verb(Addresses, "ADDRESSES", "ADDRESSES"),
        _verb(SetAddress, "SET", "SET ADDRESS you@example.org"),
        _verb(AddAddress, "ADD", "ADD ADDRESS you@example.org"),
        _verb(RemoveAddress, "REMOVE", "REMOVE ADDRESS you@example.org"),
    ),
    "it": (
        _verb(
            Help,
            "AIUTO",
            "AIUTO [comando o gioco]",
            "Manda questo elenco, oppure le regole e la notazione di un gioco.",
        ),
        _verb(
            Register,
            "ISCRIVIMI",
            "ISCRIVIMI nome",
            "Ti iscrive: noi ti scriviamo, tu rispondi, ed è tutto. Non c'è nessuna password.",
        ),
        _verb(Games, "PARTITE", "PARTITE", "Elenca le tue partite e i giochi che si possono giocare qui."),
        _verb(
            Challenge,
            "SFIDA",
            "SFIDA chi gioco[:variante] [opzioni]",
            "Sfida un giocatore a un gioco. Dopo il gioco scrivi PRIMO o"
            " SECONDO, oppure il colore che vuoi, e le regole, come in SFIDA Bruno zertz PRIMO goals=short."
            " Una disposizione tua viene per ultima: setup= e ciò che dicono le regole del gioco.",
        ),
        _verb(
            Accept,
            "ACCETTO SÌ",
            "ACCETTO [partita] oppure SÌ",
            "Accetta una sfida o una proposta. SÌ vale solo da solo sulla sua riga.",
        ),
        _verb(
            Decline,
            "RIFIUTO NO",
            "RIFIUTO [partita] [motivo] oppure NO",
            "Rifiuta una sfida o una proposta. NO vale solo da solo sulla sua riga.",
        ),
        _verb(
            Move,
            "MUOVO",
            "[MUOVO] [partita] mossa[#numero]",
            "Gioca la tua mossa; la parola MUOVO si può omettere. Con #12 in fondo viene giocata solo se è"
            " ancora la dodicesima.",
        ),
        _verb(
            Show,
            "MOSTRA",
            "MOSTRA [partita] [A numero]",
            "Mostra il tavoliere di una partita, adesso o dopo una certa mossa.",
        ),
        _verb(
            Draw, "PATTA", "PATTA [partita]", "Propone la patta. La proposta vale fino alla prossima mossa."
        ),
        _verb(Resign, "ABBANDONO", "ABBANDONO [partita]", "Abbandona la partita. Ti chiediamo conferma."),
        _verb(
            Say,
            "DICO",
            "DICO [partita:] testo",
            "Manda un messaggio al tuo avversario, come ogni riga dopo la mossa.",
        ),
        _verb(Letters, "LETTERE", "LETTERE", "Elenca i tipi di lettere, e quali di questi ricevi."),
        _verb(
            Stop,
            "BASTA",
            "BASTA [tipo di lettere o TUTTO]",
            "Niente più lettere di un tipo: TURNI, RICEVUTE, MESSAGGI, SFIDE, NOTIZIE. La parola da sola le elenca."
            " Le risposte alle tue lettere arrivano sempre.",
        ),
        _verb(
            Start,
            "RIPRENDO",
            "RIPRENDO tipo di lettere o TUTTO",
            "Di nuovo le lettere di un tipo, o di tutti i tipi.",
        ),
        _verb(
            Addresses,
            "INDIRIZZI",
            "INDIRIZZI",
            "Elenca gli indirizzi da cui scrivi; le nostre lettere vanno al primo.",
        ),
        _verb(
            SetAddress,
            "IMPOSTA",
            "IMPOSTA INDIRIZZO tu@example.org",
            "D'ora in poi le nostre lettere vanno a questo indirizzo; se è nuovo, viene aggiunto. Ti chiediamo"
            " conferma.",
        ),
        _verb(
            AddAddress,
            "AGGIUNGI",
            "AGGIUNGI INDIRIZZO tu@example.org",
            "Aggiunge un indirizzo da cui scrivi. Chiediamo conferma a te e poi a quell'indirizzo.",
        ),
        _verb(
            RemoveAddress,
            "TOGLI",
            "TOGLI INDIRIZZO tu@example.org",
            "Toglie un indirizzo. Ti chiediamo conferma.",
        ),
    ),
}

# What STOP and START are followed by; None is letters of every sort.
SORTS: Mapping[str, Mapping[str, Subscription | None]] = {
    "en": {
        "TURNS": Subscription.TURNS,
        "RECEIPTS": Subscription.RECEIPTS,
        "MESSAGES": Subscription.MESSAGES,
        "CHALLENGES": Subscription.CHALLENGES,
        "NEWS": Subscription.NEWS,
        "ALL": None,
    },
    "it": {
        "TURNI": Subscription.TURNS,
        "RICEVUTE": Subscription.RECEIPTS,
        "MESSAGGI": Subscription.MESSAGES,
        "SFIDE": Subscription.CHALLENGES,
        "NOTIZIE": Subscription.NEWS,
        "TUTTO": None,
    },
}
AT = {"at", "a", "al", "alla"}  # SHOW 105 AT 12, MOSTRA 105 ALLA 12
ADDRESS = {"address", "indirizzo"}  # SET ADDRESS alice@example.org
# "Fine." opens many English letters, so it ends only Italian ones.
ENDS: Mapping[str, frozenset[str]] = {"en": frozenset({"end"}), "it": frozenset({"end", "fine"})}
CONFIRMING = {"yes", "si", "ok", "accept", "accetto", "confirm", "confermo"}
REFUSING = {"no", "decline", "reject", "rifiuto"}


def fold(word: str) -> str:
    """A word as the tables know it: no case, no accents, no apostrophe in their place (`SI'`)."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).rstrip("'’`´")


COMMAND_OF: Mapping[str, type[Command]] = {
    fold(word): verb.command for verbs in VERBS.values() for verb in verbs for word in verb.words
}


def verb_of(command: Command) -> str:
    """How it is called in English, whatever the player wrote: MOVE, ACCEPT."""
    return next(verb.words[0] for verb in VERBS["en"] if verb.command is type(command))


SORT_OF: Mapping[str, Subscription | None] = {
    fold(word): sort for sorts in SORTS.values() for word, sort in sorts.items()
}


def letters_words(language: str) -> dict[str, str]:
    """How a sort of letters is stopped and begun again: by `stop`, `start`, `all` and the names of the sorts."""
    verbs = {verb.command: verb.words[0] for verb in VERBS[language]}
    sorts = {str(sort or "all"): word for word, sort in SORTS[language].items()}
    return sorts | {"stop": verbs[Stop], "start": verbs[Start]}


def help_lines(language: str) -> tuple[tuple[str, str], ...]:
    """How to write each command, and what it does."""
    return tuple((verb.usage, verb.does) for verb in VERBS[language])


def verbs_for(language: str) -> tuple[str, ...]:
    """The words of all verbs, those of `language` first."""
    languages = sorted(VERBS, key=lambda other: other != language)
    return tuple(word for name in languages for verb in VERBS[name] for word in verb.words)
