"""Who wants to be found: players who have opted in, what they play, and how soon they answer."""

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
_MOST_SEEN = 100  # among which those are looked for who can be challenged
_LATEST = 20  # matches that say what a player plays


@dataclass(frozen=True)
class Listed:
    """`games` are the keys of what the player has played lately, the latest first."""

    player: Player
    games: tuple[str, ...]
    known: Reliability


def listed(reader: Player, *, game: str = "", now: datetime) -> list[Listed]:
    """Those who opted in and take a challenge of the reader, who plays most recently first. `game` is a key, "" any."""
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
    """Why not is nobody's business: of whom that is true, the list says nothing."""
    return not refuses(player, reader, game) and not refuses(reader, player, game) and has_room(player, game)


def _games(player: Player) -> Iterator[str]:
    """Of matches that anybody may watch."""
    rows = Seat.objects.filter(player=player, match__started_at__isnull=False).order_by("-match_id")
    names = rows.values_list("match__game_name", "match__terms")[:_LATEST]
    yield from dict.fromkeys(name.partition(":")[0] for name, terms in names if not Terms.of(terms).private)
