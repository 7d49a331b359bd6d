"""Groups, then a final: the ratings are dealt out in a snake, or the organiser forms the groups; the first of each
group meet in the final."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from pbem.contests.systems.round_robin import everybody
from pbem.contests.systems.settings import Settings, shared, within
from pbem.contests.systems.tie_breaks import ranked
from pbem.contests.systems.values import Draw, Entrant, Line, Seen, letters, seeded

FINAL = "final"
LEAST, MOST = 4, 8  # players of a group


@dataclass(frozen=True)
class Groups(Settings):
    """`size` is how many players a group has at most, `advance` how many of each meet in the final."""

    size: int = 6
    advance: int = 2
    double: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.size, LEAST, MOST)
        within(self.advance, 1, self.size - 1)

    def least(self) -> int:
        return LEAST

    def draw(self, seen: Seen) -> Draw | None:
        if not seen.begun:
            groups = grouped(seen.entrants, self.size)
            return Draw(
                tuple(
                    pair
                    for table, players in zip(letters(len(groups)), groups, strict=True)
                    for pairs in everybody(players, double=self.double, table=table)
                    for pair in pairs
                )
            )
        finalists = self._finalists(seen)
        if seen.begun > 1 or len(finalists) < 2:
            return None
        return Draw(
            tuple(p for pairs in everybody(finalists, double=self.double, table=FINAL) for p in pairs)
        )

    def places(self, seen: Seen) -> tuple[Line, ...]:
        """The final before the groups, which stand one below the other."""
        groups = self._groups(seen)
        finalists = {player for game in seen.at(FINAL) for player in (game.first, game.second)}
        final = ranked(_playing(seen, finalists), seen.at(FINAL), self.ties, FINAL) if finalists else ()
        return (*final, *(line for lines in groups for line in lines if line.player not in finalists))

    def overall(self, lines: Sequence[Line]) -> Mapping[int, int]:
        """Below the final, who came as far in their groups shares a place."""
        final = [line for line in lines if line.table == FINAL]
        rest = [line for line in lines if line.table != FINAL]
        return {**shared(final, above=0), **shared(rest, above=len(final))}

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return 1 if len(sizes(players, self.size)) == 1 and self.advance < 2 else 2

    def erases(self) -> bool:
        return True

    def tables(self) -> bool:
        return True

    def _groups(self, seen: Seen) -> list[tuple[Line, ...]]:
        groups = grouped(seen.entrants, self.size)
        return [
            ranked(_playing(seen, players), seen.at(table), self.ties, table)
            for table, players in zip(letters(len(groups)), groups, strict=True)
        ]

    def _finalists(self, seen: Seen) -> list[int]:
        """The first of each group. Where tie-breaks leave a place open, the rating decides."""
        rating = {entrant.player: entrant.rating for entrant in seen.entrants}
        active = {entrant.player for entrant in seen.active()}
        chosen: list[int] = []
        for lines in self._groups(seen):
            staying = [line for line in lines if line.player in active]
            best = sorted(staying, key=lambda line: (line.place, -rating[line.player], line.player))
            chosen += [line.player for line in best[: self.advance]]
        return sorted(chosen)


def sizes(players: int, most: int) -> tuple[int, ...]:
    """Of groups as equal as they can be, none larger than `most`."""
    groups = ceil(players / most)
    return tuple(players // groups + (number < players % groups) for number in range(groups))


def snake(entrants: Sequence[Entrant], most: int) -> list[list[int]]:
    """The groups: of four A, B, C, D, D, C, B, A, A, B, by rating."""
    count = len(sizes(len(entrants), most))
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, entrant in enumerate(seeded(entrants)):
        lap, at = divmod(number, count)
        groups[at if lap % 2 == 0 else count - 1 - at].append(entrant.player)
    return groups


def grouped(entrants: Sequence[Entrant], most: int) -> list[list[int]]:
    """By their divisions, where the organiser has chosen these; anyone who came later is in the smallest group."""
    chosen = max((entrant.division for entrant in entrants), default=0)
    if not chosen:
        return snake(entrants, most)
    groups: list[list[int]] = [[] for _ in range(chosen)]
    for entrant in sorted(seeded(entrants), key=lambda entrant: not entrant.division):
        group = groups[entrant.division - 1] if entrant.division else min(groups, key=len)
        group.append(entrant.player)
    return [group for group in groups if group]


def proposed(players: int) -> int:
    """The size of groups that are as full as can be, between five and eight where the number allows it."""
    fitting = [size for size in range(MOST, LEAST, -1) if min(sizes(players, size)) >= LEAST]
    return min(
        fitting, key=lambda size: (max(sizes(players, size)) - min(sizes(players, size)), abs(size - 6))
    )


def _playing(seen: Seen, players: Sequence[int] | set[int]) -> list[int]:
    return [player for player in seen.listed() if player in players]
