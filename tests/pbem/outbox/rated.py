"""The letters about ratings, among those of `tests.pbem.outbox.correspondence`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from pbem.demo.play import ZERTZ
from pbem.matches import services as matches
from pbem.matches.models import Match
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.ratings.models import Rating


class Players(Protocol):
    """What writes them."""

    alice: Player
    bruno: Player

    def _begin(self, game: str, terms: Terms = ...) -> Match: ...
    def _play_all(self, match: Match, moves: list[str]) -> None: ...
    def _asked(self) -> dict[str, Any]: ...
    def _now(self) -> datetime: ...
    def _writing(self, *, alice: str, bruno: str) -> AbstractContextManager[None]: ...
    def _tell(self, player: Player, name: str, /, **facts: Any) -> None: ...


def about_ratings(desk: Players) -> None:
    at = desk._now().isoformat()
    desk._tell(desk.alice, "rating, none", player=desk.alice.pk, at=at)
    desk._tell(desk.alice, "ratings, none at all", pool="", at=at)
    with desk._writing(alice="turn, start, rated", bruno="turn, start, rated, waiting"):
        match = desk._begin("zertz", Terms(rated=True))
    desk._play_all(match, ZERTZ.split()[:4])
    with desk._writing(alice="result, rated", bruno="result, rated, won"):
        matches.resign(match.seated[0], **desk._asked())
    desk._tell(desk.alice, "rating", player=desk.alice.pk, at=at)
    desk._tell(desk.bruno, "rating, of another", player=desk.alice.pk, at=at)
    desk._tell(desk.bruno, "ratings, nobody", pool="zertz", at=at)
    for pool, player, rating in (("zertz", desk.bruno, 1541), ("zertz:+24", desk.alice, 1620)):
        Rating.objects.update_or_create(
            player=player,
            pool=pool,
            defaults={
                "rating": rating,
                "deviation": 62,
                "volatility": 0.06,
                "matches": 21,
                "at": desk._now(),
            },
        )
    Rating.objects.filter(player=desk.alice).update(deviation=71)
    desk._tell(desk.bruno, "ratings", pool="zertz", at=at)
    desk._tell(desk.bruno, "ratings, of all", pool="", at=at)
    desk._tell(desk.alice, "rating, several", player=desk.alice.pk, at=at)
