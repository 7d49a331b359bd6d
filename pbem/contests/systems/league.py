"""League: divisions that play a season, after which the best go up and the last down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from pbem.contests.systems.round_robin import everybody
from pbem.contests.systems.settings import Settings, Unfinished, within
from pbem.contests.systems.tie_breaks import ranked
from pbem.contests.systems.values import Draw, Entrant, Line, Seen, seeded

SMALLEST, LARGEST = 9, 11


@dataclass(frozen=True)
class League(Settings):
    """`size` of a division, from 9 to 11; `moving` of each go up, and as many down. A season lasts `days`."""

    days: int = 150
    unfinished: str = Unfinished.TIME
    size: int = 10
    moving: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.size, SMALLEST, LARGEST)
        within(self.moving, 1, 3)

    def most(self) -> int:
        return 26 * LARGEST

    def draw(self, seen: Seen) -> Draw | None:
        if seen.begun:
            return None
        return Draw(
            tuple(
                pair
                for table, players in divisions(seen.entrants, self.size).items()
                for pairs in everybody(players, table=table)
                for pair in pairs
            )
        )

    def places(self, seen: Seen) -> tuple[Line, ...]:
        """Division by division, the first before the others."""
        listed = set(seen.listed())
        return tuple(
            line
            for table, players in divisions(seen.entrants, self.size).items()
            for line in ranked(listed & set(players), seen.at(table), self.ties, table)
        )

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return 1

    def erases(self) -> bool:
        return True

    def tables(self) -> bool:
        return True

    def following(self, seen: Seen) -> Mapping[int, int]:
        """The division of each player in the next season: who has withdrawn has none."""
        lines: dict[int, list[Line]] = defaultdict(list)
        for line in self.places(seen):
            lines[int(line.table)].append(line)
        active = {entrant.player for entrant in seen.active()}
        last = max(lines, default=1)
        rating = {entrant.player: entrant.rating for entrant in seen.entrants}
        found: dict[int, int] = {}
        for division, theirs in lines.items():
            staying = [line for line in theirs if line.player in active]
            order = sorted(staying, key=lambda line: (line.place, -rating[line.player], line.player))
            moving = min(self.moving, len(order) // 2)
            for number, line in enumerate(order):
                up = division > 1 and number < moving
                down = division < last and number >= len(order) - moving
                found[line.player] = division - up + down
        return found


def divisions(entrants: Sequence[Entrant], size: int) -> Mapping[str, list[int]]:
    """By number. They are filled from above: by the division that was reached, newcomers last, then by rating."""
    count = max(1, ceil(len(entrants) / LARGEST), round(len(entrants) / size))
    order = sorted(
        seeded(entrants), key=lambda entrant: entrant.division or count + 1
    )  # sorting keeps the seeds
    least, over = divmod(len(order), count)
    tables: dict[str, list[int]] = {}
    for number in range(1, count + 1):
        room = least + (number > count - over)  # the larger ones are below: a newcomer pushes nobody down
        tables[str(number)] = sorted(entrant.player for entrant in order[:room])
        order = order[room:]
    return tables
