"""Ratings as players read them: of one player, and the best of a pool."""

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
from pbem.ratings.models import Rated, Rating

# Which matches are measured against each other: those with the same rules.


def pool_of(match: Match) -> str:
    """The canonical name of its game and rules."""
    return match.game_name


def game_of(pool: str) -> str:
    """The key of its game."""
    return pool.partition(":")[0]


def title(pool: str, language: str) -> str:
    """As players read it: the game, and the variant where it is not the usual one."""
    name = str(find(pool)[0].phrases(language)["name"])
    return f"{name}, {in_words(pool, language)}" if ":" in pool else name


MOST_LISTED = 25
_MOST_SEEN = 100  # among which those are looked for who have played lately


@dataclass(frozen=True)
class Listed:
    """A rating, and how sure it is today."""

    row: Rating
    strength: Strength


def figure(strength: Strength) -> str:
    """`1523`, or `1523?` while it says little yet."""
    return f"{round(strength.rating)}{'?' if strength.is_provisional else ''}"


def ratings_of(player: Player, now: datetime) -> list[Listed]:
    """In every pool in which they have one, the one with the most matches first."""
    rows = Rating.objects.filter(player=player).order_by("-matches", "pool")
    return [Listed(row, known_of(row).aged(now)) for row in rows[:MOST_LISTED]]


def best_of(pool: str, now: datetime, most: int = MOST_LISTED) -> list[Listed]:
    """Whose rating is more than provisional, and who may play; the highest first."""
    rows = Rating.objects.filter(
        pool=pool, deviation__lte=PROVISIONAL, player__suspended_at=None
    ).select_related("player")
    seen = (Listed(row, known_of(row).aged(now)) for row in rows.order_by("-rating", "pk")[:_MOST_SEEN])
    return list(islice((each for each in seen if not each.strength.is_provisional), most))


def busiest_pools(most: int) -> list[str]:
    """Those in which the most players have a rating."""
    pools = Rating.objects.order_by().values("pool").annotate(players=Count("pk"))
    return [row["pool"] for row in pools.order_by("-players", "pool")[:most]]


def is_used(pool: str) -> bool:
    """Whether anybody has a rating there."""
    return Rating.objects.filter(pool=pool).exists()


def pool_called(name: str) -> str:
    """The pool of what a player calls `zertz+11`. Raises UnknownName."""
    return canonical(*find(name))


def strength_of(player: Player, pool: str, now: datetime) -> Strength:
    """What is known of a player there, or would be assumed if they played."""
    rows = Rating.objects.filter(in_game(game_of(pool)), player=player)
    return strength_in({row.pool: known_of(row) for row in rows}, pool, now)


def strengths_of(players: Collection[int], pool: str, now: datetime) -> dict[int, Strength]:
    """The same of many, in one question."""
    known: dict[int, dict[str, Known]] = {player: {} for player in players}
    for row in Rating.objects.filter(in_game(game_of(pool)), player__in=players):
        known[row.player_id][row.pool] = known_of(row)
    return {player: strength_in(pools, pool, now) for player, pools in known.items()}


def told_strength(player: Player, pool: str, now: datetime) -> tuple[str, int] | None:
    """Figure and deviation of a player who has a rating there."""
    row = Rating.objects.filter(player=player, pool=pool).first()
    if row is None:
        return None
    strength = known_of(row).aged(now)
    return figure(strength), round(strength.deviation)


def rating_at(now: datetime) -> Callable[[Player, str], float]:
    """What offers ask of the players who would take them; many offers ask for the same, which is looked up once."""
    return cache(lambda player, pool: strength_of(player, pool, now).rating)


def change_of(match: Match) -> Rated | None:
    """What the match has changed; None while it is not over, or where it was not agreed on as rated."""
    return Rated.objects.filter(match=match).first() if match.agreed.rated else None


# What may be more than chance, for the organiser to look at. Nothing follows from it by itself.

RECENTLY = timedelta(days=90)
EARLY = 20  # half-moves
MANY = 5


def who_resigns_early(now: datetime) -> QuerySet[Player]:
    """Players who have resigned many rated matches after a few moves, which makes a rating lower than a player is; the
    latest first. Each with `resigned`, how many, and `resigned_at`, when the last."""
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
