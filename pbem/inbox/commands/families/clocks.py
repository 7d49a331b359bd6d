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
    agreed on it."""

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
            " stabilito.",
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
