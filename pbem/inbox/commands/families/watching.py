"""Following the matches of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, match_of, plain
from pbem.inbox.commands.verb import Verb, verb

DELAY = {"delay", "ritardo"}
DAILY = ({"daily"}, {"giornaliero"}, {"ogni", "giorno"}, {"every", "day"})


@dataclass(frozen=True)
class Watch(Command):
    """Sends you the board of somebody else's match after each move, or with DAILY once a day; with DELAY 3
    three moves late. Players who do not want that say PRIVATE in their challenge."""

    number: int
    delay: int = 0
    daily: bool = False


@dataclass(frozen=True)
class Unwatch(Command):
    """No more letters about a match that you follow."""

    number: int


def _watch(said: Spoken) -> Watch | None:
    number, rest = match_of(said)
    words = [fold(word) for word in plain(rest).split()]
    delay = 0
    for at, word in enumerate(words[:-1]):
        if word in DELAY and words[at + 1].isdecimal() and len(words[at + 1]) < 4:
            delay = int(words[at + 1])
            words = words[:at] + words[at + 2 :]
            break
    if number is None or (words and set(words) not in DAILY):
        return None
    return Watch(number, delay, daily=bool(words))


def _unwatch(said: Spoken) -> Unwatch | None:
    number, rest = match_of(said)
    return None if number is None or plain(rest) else Unwatch(number)


def _not_watch(said: Spoken) -> Unwatch | None:
    """NON OSSERVO 105: "non" begins many sentences, none of them like this."""
    verb, _, rest = plain(said.rest).partition(" ")
    words = rest.split()
    if fold(verb) != "osservo":
        return None
    if words and fold(words[0]) == "piu":
        words = words[1:]
    match words:
        case [number] if said.match is None and number.removeprefix("#").isdecimal() and len(number) < 10:
            return Unwatch(int(number.removeprefix("#")))
    return None


VERBS: Sequence[Verb] = (
    verb(
        Watch,
        _watch,
        en=("WATCH", "WATCH n [DELAY k] [DAILY]"),
        it=(
            "OSSERVO",
            "OSSERVO n [RITARDO k] [GIORNALIERO]",
            "Ti manda il tavoliere di una partita altrui dopo ogni mossa, o con GIORNALIERO una volta al giorno; con"
            " RITARDO 3 tre mosse dopo. Chi non lo vuole dice PRIVATA nella sfida.",
        ),
    ),
    verb(
        Unwatch,
        lambda said: _not_watch(said) if said.word == "non" else _unwatch(said),
        en=("UNWATCH", "UNWATCH n"),
        it=("NON", "NON OSSERVO n", "Niente più lettere su una partita che osservi."),
    ),
)
