"""Standings of a tournament, and their export to spreadsheets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from pbem.competitions.models import Competition
from pbem.competitions.pairings import Rounds, rounds
from pbem.competitions.systems.tie_breaks import ranked
from pbem.competitions.systems.values import DRAWN, LOST, WON, Game
from pbem.matches.models import Entry, Match, Seat, Tournament
from pbem.players.models import Player

# Cross-table

Entrant = TypeVar("Entrant")


@dataclass(frozen=True)
class Meeting(Generic[Entrant]):
    """A game: `points` are those of the first to move, None while it goes on; `match` 0 is a walkover."""

    first: Entrant
    second: Entrant
    points: float | None
    match: int = 0


@dataclass(frozen=True)
class Cell:
    """The result of one game for the player of the row."""

    points: float | None
    match: int

    @property
    def sign(self) -> str:
        return {WON: "1", DRAWN: "½", LOST: "0", None: "·"}[self.points]


@dataclass(frozen=True)
class Row(Generic[Entrant]):
    """A player's line: `met` holds the games by opponent; tied players share a `place`."""

    entrant: Entrant
    place: int
    tied: bool
    points: float
    sonneborn_berger: float
    won: int
    drawn: int
    lost: int
    met: Mapping[Entrant, tuple[Cell, ...]] = field(default_factory=dict)

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    def signs(self, other: Entrant) -> str:
        """Returns the results against `other`, a sign each: `1½`, `·` for a game that goes on."""
        return "".join(cell.sign for cell in self.met.get(other, ()))


def cross_table(
    entrants: Sequence[Entrant], meetings: Iterable[Meeting[Entrant]]
) -> tuple[Row[Entrant], ...]:
    """Returns the rows, best first, by points, Sonneborn-Berger and wins; ties keep the given order."""
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    met: list[dict[Entrant, list[Cell]]] = [defaultdict(list) for _ in entrants]
    games = []
    for each in meetings:
        first, second = numbers[each.first], numbers[each.second]
        games.append(Game(first, second, each.points))
        met[first][each.second].append(Cell(each.points, each.match))
        theirs = None if each.points is None else WON - each.points
        met[second][each.first].append(Cell(theirs, each.match))
    rows = []
    for line in ranked(numbers.values(), games, ("sonneborn_berger", "wins")):
        own = met[line.player]
        scored = Counter(cell.points for cells in own.values() for cell in cells)
        rows.append(
            Row(
                entrants[line.player],
                line.place,
                line.tied,
                line.points,
                line.values[0],
                scored[WON],
                scored[DRAWN],
                scored[LOST],
                {other: tuple(cells) for other, cells in own.items()},
            )
        )
    return tuple(rows)


# Sheet: entries and matches, read once

System = Competition.System


@dataclass(frozen=True)
class Listed:
    """A match as stored; `players` by side."""

    match: int
    round: int | None
    game_name: str
    status: str
    winner: int | None
    ply: int
    to_move: int | None
    deadline: datetime | None
    players: tuple[int, int]


@dataclass(frozen=True)
class TournamentSheet:
    """Entries and matches of a tournament. `players` by key: entered ones by number, then others seated."""

    system: str
    entries: tuple[Entry, ...]
    matches: tuple[Listed, ...]
    players: Mapping[int, Player]

    def rounds(self) -> Rounds[Player]:
        return made_of(self.entries, self.system)

    def walkovers(self, begun: int) -> Iterator[tuple[Player, Player]]:
        """Yields (player, withdrawn opponent) for pairings of begun rounds that were not played."""
        # Only for withdrawn players with results that count.
        left = {entry.player_id for entry in self.entries if entry.withdrawn_at}
        gone = left - self.erased
        seated = {(match.round, player) for match in self.matches for player in match.players}
        everybody = all_of(self.entries, self.system)[:begun] if gone else ()
        for number, pairs in enumerate(everybody, start=1):
            for pair in pairs:
                for stays, other in (pair, pair[::-1]):
                    free = not seated & {(number, stays.pk), (number, other.pk)}
                    if free and other.pk in gone and stays.pk not in left:
                        yield stays, other

    @property
    def erased(self) -> set[int]:
        """Returns the players without results in the table."""
        return {entry.player_id for entry in self.entries if entry.erased}


def made_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Returns the rounds for entries in the order of their numbers, without withdrawn players."""
    entries = list(entries)
    left = {entry.player_id for entry in entries if entry.withdrawn_at}
    return tuple(
        tuple(pair for pair in pairs if left.isdisjoint(player.pk for player in pair))
        for pairs in all_of(entries, system)
    )


def all_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Returns the rounds, also of withdrawn players. Empty for a list of pairings."""
    paired = [] if system == System.PAIRINGS else [entry.player for entry in entries if not entry.guest]
    return rounds(paired, double=system == System.DOUBLE) if len(paired) > 1 else ()


def sheet_of(tournament: Tournament) -> TournamentSheet:
    """Reads the sheet. Two queries; a third when a seated player is not entered."""
    entries = tuple(tournament.entries.select_related("player").order_by("number"))
    matches = _matches(tournament)
    players = {entry.player_id: entry.player for entry in entries}
    if others := {player for match in matches for player in match.players} - players.keys():
        players |= Player.objects.in_bulk(others)  # players seated without an entry
    return TournamentSheet(tournament.system, entries, matches, players)


def _matches(tournament: Tournament) -> tuple[Listed, ...]:
    columns = ("round", "game_name", "status", "winner", "ply", "to_move", "deadline")
    seats = Seat.objects.filter(match__tournament=tournament).order_by("match__round", "match", "side")
    seated = iter(seats.values_list("player", "match", *(f"match__{name}" for name in columns)))
    return tuple(
        Listed(match, number, game, status, winner, ply, to_move, deadline, (first, second))
        for (first, match, number, game, status, winner, ply, to_move, deadline), (second, *_rest) in zip(
            seated, seated, strict=True
        )
    )


_COUNTED = (Match.Status.PLAYING, Match.Status.OVER)


def standings(tournament: Tournament, sheet: TournamentSheet | None = None) -> tuple[Row[Player], ...]:
    """Returns the cross-table from the sheet, or as of now.

    Omits matches that are neither played nor over, and those of erased players. Walkovers score a point.
    """
    sheet = sheet or sheet_of(tournament)
    players = sheet.players
    erased = sheet.erased
    counted = sorted(
        (m for m in sheet.matches if m.status in _COUNTED and erased.isdisjoint(m.players)),
        key=lambda listed: listed.match,
    )
    entrants = {entry.player_id: entry.player for entry in sheet.entries if not entry.erased}
    entrants |= {player: players[player] for listed in counted for player in listed.players}
    meetings = [
        Meeting(players[m.players[0]], players[m.players[1]], points_of(m.status, m.winner), m.match)
        for m in counted
    ]
    meetings += [Meeting(stays, other, WON) for stays, other in sheet.walkovers(tournament.begun)]
    return cross_table(list(entrants.values()), meetings)


def points_of(status: str, winner: int | None) -> float | None:
    if status != Match.Status.OVER:
        return None
    return 0.5 if winner is None else float(winner == 0)
