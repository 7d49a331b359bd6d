"""Round robin, league, and groups with a final."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from pbem.competitions.pairings import rounds
from pbem.competitions.systems.settings import Settings, Unfinished, shared, within
from pbem.competitions.systems.tie_breaks import ranked
from pbem.competitions.systems.values import Draw, Entrant, Line, Pair, StandingsInput, letters, seeded

MOST_AT_ONCE = 11


@dataclass(frozen=True)
class RoundRobin(Settings):
    """A round robin; `double` adds one with sides changed. `at_once`: a single round, up to 11 players."""

    double: bool = False
    at_once: bool = True

    def most(self) -> int:
        return MOST_AT_ONCE if self.at_once else 40

    def draw(self, seen: StandingsInput) -> Draw | None:
        """Returns the round planned for all entrants; withdrawals do not change it.

        The opponent of a withdrawn player has a bye, with the point, when that player's results count.
        """
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

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
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
    """Returns the pairs by round. Empty for fewer than two players."""
    if len(players) < 2:
        return ()
    return tuple(
        tuple(Pair(first, second, table) for first, second in pairs)
        for pairs in rounds(players, double=double)
    )


# League

SMALLEST, LARGEST = 9, 11


@dataclass(frozen=True)
class League(Settings):
    """Divisions of `size` players (9 to 11). `moving` of each go up, as many down. A season lasts `days`."""

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

    def draw(self, seen: StandingsInput) -> Draw | None:
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

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the divisions in order."""
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

    def following(self, seen: StandingsInput) -> Mapping[int, int]:
        """Returns the division of each player in the next season, without withdrawn players."""
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
    """Returns the divisions by number, filled by earlier division (newcomers last), then by rating."""
    count = max(1, ceil(len(entrants) / LARGEST), round(len(entrants) / size))
    order = sorted(
        seeded(entrants), key=lambda entrant: entrant.division or count + 1
    )  # stable: keeps the seeds
    least, over = divmod(len(order), count)
    tables: dict[str, list[int]] = {}
    for number in range(1, count + 1):
        room = least + (number > count - over)  # larger ones at the bottom: newcomers push no player down
        tables[str(number)] = sorted(entrant.player for entrant in order[:room])
        order = order[room:]
    return tables


# Groups and final

FINAL = "final"
LEAST, MOST = 4, 8  # players of a group


@dataclass(frozen=True)
class Groups(Settings):
    """Groups of up to `size` players; `advance` of each meet in the final."""

    size: int = 6
    advance: int = 2
    double: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.size, LEAST, MOST)
        within(self.advance, 1, self.size - 1)

    def least(self) -> int:
        return LEAST

    def draw(self, seen: StandingsInput) -> Draw | None:
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

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the final, then the others of the groups in order."""
        final, lines = self._final(seen), self.standings(seen)
        return tuple(line for line in lines if line.table == FINAL or line.player not in final)

    def standings(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the final, then the whole groups in order."""
        final = ranked(_playing(seen, self._final(seen)), seen.at(FINAL), self.ties, FINAL)
        return (*final, *(line for lines in self._groups(seen) for line in lines))

    def overall(self, lines: Sequence[Line]) -> Mapping[int, int]:
        """Returns the final places; below the final, equal ranks in different groups share a place."""
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

    def _final(self, seen: StandingsInput) -> set[int]:
        """Returns the players of the final, once it is drawn."""
        return {player for game in seen.at(FINAL) for player in (game.first, game.second)}

    def _groups(self, seen: StandingsInput) -> list[tuple[Line, ...]]:
        groups = grouped(seen.entrants, self.size)
        return [
            ranked(_playing(seen, players), seen.at(table), self.ties, table)
            for table, players in zip(letters(len(groups)), groups, strict=True)
        ]

    def _finalists(self, seen: StandingsInput) -> list[int]:
        """Returns the first of each group; the rating decides open ties."""
        rating = {entrant.player: entrant.rating for entrant in seen.entrants}
        active = {entrant.player for entrant in seen.active()}
        chosen: list[int] = []
        for lines in self._groups(seen):
            staying = [line for line in lines if line.player in active]
            best = sorted(staying, key=lambda line: (line.place, -rating[line.player], line.player))
            chosen += [line.player for line in best[: self.advance]]
        return sorted(chosen)


def sizes(players: int, most: int) -> tuple[int, ...]:
    """Returns the sizes of the fewest groups of at most `most` players, as equal as possible."""
    groups = ceil(players / most)
    return tuple(players // groups + (number < players % groups) for number in range(groups))


def snake(entrants: Sequence[Entrant], most: int) -> list[list[int]]:
    """Returns groups dealt by rating: with four, A, B, C, D, D, C, B, A, A, B."""
    count = len(sizes(len(entrants), most))
    groups: list[list[int]] = [[] for _ in range(count)]
    for number, entrant in enumerate(seeded(entrants)):
        lap, at = divmod(number, count)
        groups[at if lap % 2 == 0 else count - 1 - at].append(entrant.player)
    return groups


def grouped(entrants: Sequence[Entrant], most: int) -> list[list[int]]:
    """Returns the groups chosen by the organiser, else by rating; late entrants join the smallest group."""
    chosen = max((entrant.division for entrant in entrants), default=0)
    if not chosen:
        return snake(entrants, most)
    groups: list[list[int]] = [[] for _ in range(chosen)]
    for entrant in sorted(seeded(entrants), key=lambda entrant: not entrant.division):
        group = groups[entrant.division - 1] if entrant.division else min(groups, key=len)
        group.append(entrant.player)
    return [group for group in groups if group]


def proposed(players: int) -> int:
    """Returns the size, from five to eight, that gives the most even groups of at least four players."""
    fitting = [size for size in range(MOST, LEAST, -1) if min(sizes(players, size)) >= LEAST]
    return min(
        fitting, key=lambda size: (max(sizes(players, size)) - min(sizes(players, size)), abs(size - 6))
    )


def _playing(seen: StandingsInput, players: Sequence[int] | set[int]) -> list[int]:
    return [player for player in seen.listed() if player in players]
