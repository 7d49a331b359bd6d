"""Ratings for readers: of one player, of the best in a pool; and players with many early resignations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from django.db import models
from django.db.models import Count, F, Max, QuerySet, Sum, Value

from games.registry import canonical, find, in_words
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.ratings.glicko import PROVISIONAL, Strength
from pbem.ratings.history import Known, in_game, known_of, strength_in
from pbem.ratings.models import RatedGame, Rating

# Pools: matches with the same rules


def pool_of(match: Match) -> str:
    """Returns the canonical name of the match's game and rules."""
    return match.game_name


def game_of(pool: str) -> str:
    """Returns the key of the pool's game."""
    return pool.partition(":")[0]


def title(pool: str, language: str) -> str:
    """Returns the name of the game, with the variant when it is not the usual one."""
    name = str(find(pool)[0].phrases(language)["name"])
    return f"{name}, {in_words(pool, language)}" if ":" in pool else name


MOST_LISTED = 25
_MOST_SEEN = 100  # ratings examined for players who have played lately


@dataclass(frozen=True)
class Listed:
    """A rating row, with its strength at the time of the list."""

    row: Rating
    strength: Strength


def figure(strength: Strength) -> str:
    """Returns `1523`, or `1523?` when provisional."""
    return f"{round(strength.rating)}{'?' if strength.is_provisional else ''}"


def ratings_of(player: Player, now: datetime) -> list[Listed]:
    """Returns the player's ratings in all pools, the most matches first."""
    rows = Rating.objects.filter(player=player).order_by("-matches", "pool")
    return [Listed(row, known_of(row).aged(now)) for row in rows[:MOST_LISTED]]


def best_of(pool: str, now: datetime, most: int = MOST_LISTED) -> list[Listed]:
    """Returns the highest ratings of players who are not suspended, without provisional ones."""
    rows = Rating.objects.filter(
        pool=pool, deviation__lte=PROVISIONAL, player__suspended_at=None
    ).select_related("player")
    seen = (Listed(row, known_of(row).aged(now)) for row in rows.order_by("-rating", "pk")[:_MOST_SEEN])
    return list(islice((each for each in seen if not each.strength.is_provisional), most))


def busiest_pools(most: int) -> list[str]:
    """Returns the pools with the most rated players."""
    pools = Rating.objects.order_by().values("pool").annotate(players=Count("pk"))
    return [row["pool"] for row in pools.order_by("-players", "pool")[:most]]


def is_used(pool: str) -> bool:
    """Returns whether the pool has ratings."""
    return Rating.objects.filter(pool=pool).exists()


def pool_called(name: str) -> str:
    """Returns the pool of a name such as `zertz+11`. Raises UnknownName."""
    return canonical(*find(name))


def strength_of(player: Player, pool: str, now: datetime) -> Strength:
    """Returns the player's rating in the pool, else the one that a first match would assume."""
    rows = Rating.objects.filter(in_game(game_of(pool)), player=player)
    return strength_in({row.pool: known_of(row) for row in rows}, pool, now)


def strengths_of(players: Collection[int], pool: str, now: datetime) -> dict[int, Strength]:
    """Returns the ratings of many players, as `strength_of` does. One query."""
    known: dict[int, dict[str, Known]] = {player: {} for player in players}
    for row in Rating.objects.filter(in_game(game_of(pool)), player__in=players):
        known[row.player_id][row.pool] = known_of(row)
    return {player: strength_in(pools, pool, now) for player, pools in known.items()}


def told_strength(player: Player, pool: str, now: datetime) -> tuple[str, int] | None:
    """Returns figure and deviation. None when the player has no rating in the pool."""
    row = Rating.objects.filter(player=player, pool=pool).first()
    if row is None:
        return None
    strength = known_of(row).aged(now)
    return figure(strength), round(strength.deviation)


def rating_at(now: datetime) -> Callable[[Player, str], float]:
    """Returns a cached function from player and pool to rating, for the conditions of open offers."""
    return cache(lambda player, pool: strength_of(player, pool, now).rating)


def change_of(match: Match) -> RatedGame | None:
    """Returns what the match changed. None before its end, or when it is not rated."""
    return RatedGame.objects.filter(match=match).first() if match.agreed.rated else None


# Signs of manipulation, for the organiser to judge

RECENTLY = timedelta(days=90)
EARLY = 20  # half-moves
MANY = 5


def who_resigns_early(now: datetime) -> QuerySet[Player]:
    """Returns players with many rated matches resigned after a few moves, the latest first.

    Annotated with `resigned`, their number, and `resigned_at`, the last. Such losses make a rating too low.
    """
    matches = Player.objects.filter(
        seats__match__rated__at__gte=now - RECENTLY,
        seats__match__rated__uncounted="",
        seats__match__reason="resigned",
        seats__match__winner=1 - F("seats__side"),
        seats__match__ply__lt=EARLY,
    )
    each = Value(1, models.IntegerField())
    counted = matches.annotate(resigned=Sum(each), resigned_at=Max("seats__match__rated__at"))
    return counted.filter(resigned__gte=MANY).order_by("-resigned_at", "pk")
