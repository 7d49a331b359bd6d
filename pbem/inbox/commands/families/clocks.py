"""Reflection time: how much there is, and the win that the clock gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, match_of
from pbem.inbox.commands.verb import Verb, verb


@dataclass(frozen=True)
class Clock(Command):
    """Tells the time that you and your opponent have, in one match or in all of them, and what was
    agreed on it. In a challenge a clock is written 10d+36h<=10d (time at first, more for each move,
    never more than), 3d/move, FAST, MEDIUM, SLOW, LEAGUE, POSTAL or WEEKLY, with total=60d for the
    whole match; NONSTOP where nights and weekends count; timeout=LOSS, CLAIM, ABSENCE or ADJUDICATE
    says what follows when it has run out."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Claim(Command):
    """Claims the win where your opponent's time is over and it was agreed that it has to be claimed."""

    match: int | None = None


def _clock(said: Spoken) -> Clock | None:
    match, rest = match_of(said)
    return None if rest else Clock(match)


def _claim(said: Spoken) -> Claim | None:
    match, rest = match_of(said)
    return None if rest else Claim(match)


VERBS: Sequence[Verb] = (
    verb(
        Clock,
        _clock,
        en=("CLOCK CLOCKS", "CLOCK [match]"),
        it=(
            "OROLOGIO OROLOGI",
            "OROLOGIO [partita]",
            "Dice quanto tempo avete tu e il tuo avversario, in una partita o in tutte, e che cosa si è"
            " stabilito. In una sfida l'orologio si scrive 10g+36o<=10g (tempo iniziale, aggiunta per ogni"
            " mossa, massimo), 3g/mossa, VELOCE, MEDIO, LENTO, CAMPIONATO, POSTALE o SETTIMANALE, con"
            " totale=60g per tutta la partita; SENZASOSTA se notti e fine settimana contano;"
            " tempo=SCONFITTA, RECLAMO, ASSENZA o ARBITRO dice che cosa succede quando è finito.",
        ),
    ),
    verb(
        Claim,
        _claim,
        en=("CLAIM", "CLAIM [match]"),
        it=(
            "RECLAMO",
            "RECLAMO [partita]",
            "Reclama la vittoria, se il tempo del tuo avversario è finito e si è stabilito che va reclamata.",
        ),
    ),
)
