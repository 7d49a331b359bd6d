"""Players who have said that they may be named: their list, their pages, ratings and offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from pbem.matches.matchmaking.eligibility import Reliability, reliability_of
from pbem.matches.models import Seek
from pbem.players.models import FormerName, Player
from pbem.players.models.name import look_of
from pbem.players.names import fold
from pbem.published.visible import is_named, step_of
from pbem.ratings.leaderboards import Listed, best_of, ratings_of
from pbem.ratings.models import RatedGame, Rating

SHOWN = 100  # players on a page
MOST_FOUND = 20
MOST_RATED = 25
LATELY = timedelta(days=365)


@dataclass(frozen=True)
class Offer:
    """An open offer; `name` is "" where it is not public."""

    seek: Seek
    name: str


def named() -> QuerySet[Player]:
    """Returns the players with a page, by name."""
    told = Player.objects.filter(site__in=(Player.Site.NAMED, Player.Site.INDEXED), suspended_at=None)
    return (told | Player.objects.robots().order_by()).order_by("folded")


def players(after: str = "") -> tuple[Sequence[Player], str]:
    """Returns a page of players, and the name after which the next one begins; "" on the last."""
    found = list(named().filter(folded__gt=fold(after))[: SHOWN + 1])
    return found[:SHOWN], found[SHOWN - 1].name if len(found) > SHOWN else ""


def player_called(name: str) -> Player | None:
    """Returns the player with a page who has, or had, this name."""
    player = named().filter(folded=fold(name)).first()
    if player is None and (former := FormerName.objects.filter(look=look_of(name)).first()):
        player = named().filter(former_names=former).first()
    return player


def begins_with(text: str) -> Sequence[Player]:
    return list(named().filter(folded__startswith=fold(text))[:MOST_FOUND]) if text else ()


def reliability(player: Player, now: datetime) -> Reliability | None:
    return None if player.robot is not None else reliability_of(player, now)


def ratings(player: Player, now: datetime) -> Sequence[Listed]:
    return ratings_of(player, now)


def best(pool: str, now: datetime, most: int = MOST_RATED) -> tuple[Sequence[Listed], Sequence[Listed]]:
    """Returns the named players of a list, and named ones with a provisional rating."""
    firm = [row for row in best_of(pool, now) if is_named(row.row.player, now)][:most]
    rows = Rating.objects.filter(pool=pool, player__in=named()).select_related("player").order_by("-rating")
    firm_keys = {row.row.pk for row in firm}
    rest = [Listed(row, row.strength) for row in rows[: 4 * most] if row.pk not in firm_keys]
    return firm, [row for row in rest if row.strength.is_provisional][:most]


def curve(player: Player, pool: str, now: datetime) -> Sequence[tuple[datetime, float]]:
    """Returns the ratings after each counted match of the last year."""
    games = RatedGame.objects.filter(
        pool=pool, uncounted="", at__gt=now - LATELY, match__seats__player=player
    )
    rows = games.order_by("at").values_list("at", "after", "match__seats__side")
    return [(at, after[side][0]) for at, after, side in rows]


def offers(now: datetime) -> Sequence[Offer]:
    """Returns the open offers that are public."""
    found = []
    for seek in Seek.objects.standing(now).select_related("player")[:SHOWN]:
        if not seek.agreed.private and step_of(seek.player, now) is not Player.Site.NO:
            found.append(Offer(seek, seek.player.name if is_named(seek.player, now) else ""))
    return found
