"""King of the hill: one match at a time for the crown; a draw keeps it where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.contests.systems.values import Entrant, seeded
from pbem.contests.systems.without_rounds import WithoutRounds


@dataclass(frozen=True)
class Hill(WithoutRounds):
    """The first king is who has the highest rating. Who waits challenges by rating, who has played for the crown
    less often before the others."""


def challenger(king: int, entrants: Sequence[Entrant], tried: Mapping[int, int]) -> int | None:
    """Who plays for the crown next; None where nobody is there but the king."""
    waiting = [entrant for entrant in seeded(entrants) if entrant.player != king and entrant.active]
    first = min(waiting, key=lambda entrant: tried.get(entrant.player, 0), default=None)
    return first.player if first else None


def reigns(crowned: Sequence[tuple[int, datetime]], now: datetime) -> Mapping[int, int]:
    """How many whole days each has worn the crown: `crowned` says who from when, the earliest first."""
    until = [since for _, since in crowned[1:]] + [now]
    total: dict[int, timedelta] = {}
    for (player, since), end in zip(crowned, until, strict=True):
        total[player] = total.get(player, timedelta()) + (end - since)
    return {player: time.days for player, time in total.items()}
