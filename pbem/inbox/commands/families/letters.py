"""Which sorts of letters a player gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, plain
from pbem.inbox.commands.verb import Verb, verb
from pbem.players.subscriptions import Subscription

# What STOP and START are followed by; None is letters of every sort.
SORTS: Mapping[str, Mapping[str, Subscription | None]] = {
    "en": {
        "TURNS": Subscription.TURNS,
        "RECEIPTS": Subscription.RECEIPTS,
        "MESSAGES": Subscription.MESSAGES,
        "CHALLENGES": Subscription.CHALLENGES,
        "NEWS": Subscription.NEWS,
        "DIGESTS": Subscription.DIGESTS,
        "ALL": None,
    },
    "it": {
        "TURNI": Subscription.TURNS,
        "RICEVUTE": Subscription.RECEIPTS,
        "MESSAGGI": Subscription.MESSAGES,
        "SFIDE": Subscription.CHALLENGES,
        "NOTIZIE": Subscription.NEWS,
        "RIEPILOGHI": Subscription.DIGESTS,
        "TUTTO": None,
    },
}
SORT_OF: Mapping[str, Subscription | None] = {
    fold(word): sort for sorts in SORTS.values() for word, sort in sorts.items()
} | {"digest": Subscription.DIGESTS, "riepilogo": Subscription.DIGESTS}

# What the letter asks for that says that a clock runs, by its first word. In a match it is talk.
GO_ON: Mapping[str, str] = {"go": "on", "continuo": ""}


@dataclass(frozen=True)
class Letters(Command):
    """Lists the sorts of letters, and which of them you get."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Stop(Command):
    """No more letters of a sort: TURNS, RECEIPTS, MESSAGES, CHALLENGES, NEWS, DIGESTS. The word alone lists them.
    Answers to your own letters always come."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Start(Command):
    """Letters of a sort again, or of every sort."""

    sort: Subscription | None = None


def _letters(said: Spoken) -> Letters | None:
    return None if said.rest or said.match is not None else Letters()


def _stop(said: Spoken) -> Letters | Stop | None:
    match said.words:
        case []:
            return _letters(said)
        case [sort] if fold(sort) in SORT_OF:
            return Stop(SORT_OF[fold(sort)])
    return None


def _start(said: Spoken) -> Start | None:
    if said.word in GO_ON:
        alone = said.clear and said.own is None and fold(" ".join(said.words)) == GO_ON[said.word]
        return Start(Subscription.TURNS) if alone else None
    match said.words:
        case [sort] if fold(sort) in SORT_OF:
            return Start(SORT_OF[fold(sort)])
    return None


def goes_on(line: str) -> bool:
    """Whether the line is that one, in any case: for the answer to the letter that asks for it."""
    first, _, rest = fold(plain(line[:40]).rstrip("!. ")).partition(" ")
    return GO_ON.get(first) == rest


VERBS: Sequence[Verb] = (
    verb(
        Letters,
        _letters,
        en=("LETTERS", "LETTERS"),
        it=("LETTERE", "LETTERE", "Elenca i tipi di lettere, e quali di questi ricevi."),
    ),
    verb(
        Stop,
        _stop,
        en=("STOP UNSUBSCRIBE", "STOP [sort of letters or ALL]"),
        it=(
            "BASTA",
            "BASTA [tipo di lettere o TUTTO]",
            "Niente più lettere di un tipo: TURNI, RICEVUTE, MESSAGGI, SFIDE, NOTIZIE, RIEPILOGHI. La parola da sola"
            " le elenca. Le risposte alle tue lettere arrivano sempre.",
        ),
    ),
    verb(
        Start,
        _start,
        en=("START GO", "START sort of letters or ALL"),
        it=(
            "RIPRENDO CONTINUO",
            "RIPRENDO tipo di lettere o TUTTO",
            "Di nuovo le lettere di un tipo, o di tutti i tipi.",
        ),
    ),
)
