"""All entries and matches of a tournament, read once: its table, its rounds and its page are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    @property
    def erased(self) -> set[int]:
        """The players whose results are in no table."""
        return {entry.player_id for entry in self.entries if entry.erased}


def made_of(entries: Iterable[Entry], system: str) -> Rounds[Player]:
    """Who meets whom, of entries in the order of their numbers; nobody meets the player who has withdrawn. A list has
    no rounds but those that were begun."""
    paired = [] if system == System.PAIRINGS else [entry for entry in entries if not entry.guest]
    if len(paired) < 2:
        return ()
    return tuple(
        tuple((one.player, two.player) for one, two in pairs if not (one.withdrawn_at or two.withdrawn_at))
        for pairs in rounds(paired, double=system == System.DOUBLE)
    )


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
