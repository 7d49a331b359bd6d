"""All entries and matches of a tournament, read once: its table, its rounds and its page are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.matches.models import Entry, Seat, Tournament
from pbem.matches.tournaments.berger import Rounds, rounds
from pbem.players.models import Player

System = Tournament.System


@dataclass(frozen=True)
class Listed:
    """A match as its row has it; `players` by side."""

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
class Sheet:
    """`players` are all who are entered or seated, by key: first those entered, in the order of their numbers."""

    system: str
    entries: tuple[Entry, ...]
    matches: tuple[Listed, ...]
    players: Mapping[int, Player]

    def rounds(self) -> Rounds[Player]:
        return made_of(self.entries, self.system)

    def walkovers(self, begun: int) -> Iterator[tuple[Player, Player]]:
        """In rounds that began after a player had withdrawn whose results count: who would have met them, and they."""
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
        """The players whose results are in no table."""
        return {entry.player_id for entry in self.entries if entry.erased}


def made_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Who meets whom, of entries in the order of their numbers; nobody meets the player who has withdrawn."""
    entries = list(entries)
    left = {entry.player_id for entry in entries if entry.withdrawn_at}
    return tuple(
        tuple(pair for pair in pairs if left.isdisjoint(player.pk for player in pair))
        for pairs in all_of(entries, system)
    )


def all_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """With those who have withdrawn. A list has no rounds but those that were begun."""
    paired = [] if system == System.PAIRINGS else [entry.player for entry in entries if not entry.guest]
    return rounds(paired, double=system == System.DOUBLE) if len(paired) > 1 else ()


def sheet_of(tournament: Tournament) -> Sheet:
    """In two questions; a third where somebody is seated who is not entered."""
    entries = tuple(tournament.entries.select_related("player").order_by("number"))
    matches = _matches(tournament)
    players = {entry.player_id: entry.player for entry in entries}
    if others := {player for match in matches for player in match.players} - players.keys():
        players |= Player.objects.in_bulk(others)  # anyone who took a place otherwise than by `replace`
    return Sheet(tournament.system, entries, matches, players)


def _matches(tournament: Tournament) -> tuple[Listed, ...]:
    """By round."""
    columns = ("round", "game_name", "status", "winner", "ply", "to_move", "deadline")
    seats = Seat.objects.filter(match__tournament=tournament).order_by("match__round", "match", "side")
    seated = iter(seats.values_list("player", "match", *(f"match__{name}" for name in columns)))
    return tuple(
        Listed(match, number, game, status, winner, ply, to_move, deadline, (first, second))
        for (first, match, number, game, status, winner, ply, to_move, deadline), (second, *_rest) in zip(
            seated, seated, strict=True
        )
    )
