"""Round robin: everybody meets everybody, once or twice, all at once or round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.contests.systems.settings import Settings, within
from pbem.contests.systems.tie_breaks import ranked
from pbem.contests.systems.values import Draw, Line, Pair, Seen
from pbem.matches.tournaments.berger import rounds

MOST_AT_ONCE = 11


@dataclass(frozen=True)
class RoundRobin(Settings):
    """`double`: twice, with the sides changed. `at_once`: all rounds are one, of up to 11 players."""

    double: bool = False
    at_once: bool = True

    def most(self) -> int:
        return MOST_AT_ONCE if self.at_once else 40

    def draw(self, seen: Seen) -> Draw | None:
        """By all who entered: the rounds stay what they were when somebody withdraws. The player who would have
        met them is free, with the point if their earlier results count."""
        if seen.begun and self.at_once:
            return None
        active = {entrant.player for entrant in seen.active()}
        players = sorted(entrant.player for entrant in seen.entrants)
        planned = everybody(players, double=self.double)
        wanted = planned if self.at_once else planned[seen.begun : seen.begun + 1]
        if not wanted:
            return None
        pairs = [pair for pairs in wanted for pair in pairs]
        gone = {e.player for e in seen.entrants if not e.active and not e.erased}
        free = [min({p.first, p.second} - gone) for p in pairs if len({p.first, p.second} & gone) == 1]
        return Draw(
            tuple(pair for pair in pairs if {pair.first, pair.second} <= active),
            tuple(player for player in sorted(free) if player in active),
        )

    def places(self, seen: Seen) -> tuple[Line, ...]:
        return ranked(seen.listed(), seen.games, self.ties)

    def planned(self, players: int) -> int:
        return (players - 1) * (2 if self.double else 1)

    def erases(self) -> bool:
        return True

    def rounds(self, players: int) -> int:
        within(players, 2, self.most())
        return 1 if self.at_once else (players - 1 + players % 2) * (2 if self.double else 1)


def everybody(
    players: Sequence[int], *, double: bool = False, table: str = ""
) -> tuple[tuple[Pair, ...], ...]:
    """By round. One player alone meets nobody."""
    if len(players) < 2:
        return ()
    return tuple(
        tuple(Pair(first, second, table) for first, second in pairs)
        for pairs in rounds(players, double=double)
    )
