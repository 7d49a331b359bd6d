"""The directory of players who have opted in, with their games and reliability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import F, Max, Q

from pbem.matches.matchmaking.eligibility import Reliability, has_room, reliability_of
from pbem.matches.models import Seat
from pbem.matches.terms import Terms
from pbem.players.blocks import refuses
from pbem.players.models import Player

MOST_LISTED = 20
_MOST_SEEN = 100  # players examined
_LATEST = 20  # matches that determine a player's games


@dataclass(frozen=True)
class Listed:
    """A listed player; `games` are the keys of those played lately, the latest first."""

    player: Player
    games: tuple[str, ...]
    known: Reliability


def listed(reader: Player, *, game: str = "", now: datetime) -> list[Listed]:
    """Returns players that the reader can challenge, by their latest match. `game` is a key, "" any."""
    found = Player.objects.reachable().filter(listed=True).exclude(pk=reader.pk)
    if game:
        named = Q(seats__match__game_name=game) | Q(seats__match__game_name__startswith=f"{game}:")
        found = found.filter(named)
    latest = found.annotate(latest=Max("seats__match_id")).order_by(F("latest").desc(nulls_last=True), "-pk")
    return list(islice(_entries(reader, latest[:_MOST_SEEN], game, now), MOST_LISTED))


def _entries(reader: Player, players: Iterable[Player], game: str, now: datetime) -> Iterator[Listed]:
    for player in players:
        games = tuple(_games(player))
        if game in ("", *games) and _can_meet(reader, player, game):
            yield Listed(player, games, reliability_of(player, now))


def _can_meet(reader: Player, player: Player, game: str) -> bool:
    # Reasons are not revealed: such players are omitted.
    return not refuses(player, reader, game) and not refuses(reader, player, game) and has_room(player, game)


def _games(player: Player) -> Iterator[str]:
    """Yields the player's games, without private matches."""
    rows = Seat.objects.filter(player=player, match__started_at__isnull=False).order_by("-match_id")
    names = rows.values_list("match__game_name", "match__terms")[:_LATEST]
    yield from dict.fromkeys(name.partition(":")[0] for name, terms in names if not Terms.of(terms).private)
