"""What ladders and kings of the hill have in common: they begin, and their players challenge each other."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.contests.systems.settings import Settings, within
from pbem.contests.systems.values import Draw, Line, Seen, seeded


@dataclass(frozen=True)
class WithoutRounds(Settings):
    def most(self) -> int:
        return 500

    def draw(self, seen: Seen) -> Draw | None:
        return None if seen.begun else Draw(())

    def places(self, seen: Seen) -> tuple[Line, ...]:
        """At the beginning, by rating."""
        players = [entrant.player for entrant in seeded(seen.active())]
        return tuple(Line(player, number, False, 0) for number, player in enumerate(players, start=1))

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return 0
