"""Rated matches that have ended, as rows, without letters."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

import pytest

from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Player
from pbem.ratings.service import follow
from tests.mail_fixtures import MORNING

Ended = Callable[..., Match]


def tell(match: Match, kind: Event.Kind, at: datetime) -> None:
    """What happened, to the ratings alone."""
    follow([Event(match=match, kind=kind, ply=match.ply, happened_at=at)])


@pytest.fixture
def players(db: None) -> list[Player]:
    return [Player.objects.create(name=name) for name in ("Alice", "Bruno", "Carla", "Dora", "Emil")]


@pytest.fixture
def ended(players: list[Player]) -> Ended:
    """A match of the first two players, or others by number, that ends so many days after the first morning."""
    minutes = count()

    def ended(
        first: int = 0,
        second: int = 1,
        winner: int | None = 0,
        *,
        day: float = 0.0,
        game: str = "loa",
        reason: str = "resigned",
        turns: int = 4,
        rated: bool = True,
    ) -> Match:
        at = MORNING + timedelta(days=day, minutes=next(minutes))
        match = Match.objects.create(
            game_name=game,
            rules_version=1,
            terms={"rated": True} if rated else {},
            status=Match.Status.OVER,
            ply=turns,
            winner=winner,
            reason=reason,
            started_at=MORNING - timedelta(days=1),
            ended_at=at,
        )
        Seat.objects.bulk_create(
            Seat(match=match, side=side, player=players[each]) for side, each in enumerate((first, second))
        )
        Turn.objects.bulk_create(
            Turn(match=match, ply=ply, side=ply % 2, played_at=MORNING - timedelta(days=1))
            for ply in range(turns)
        )
        tell(match, Event.Kind.ENDED, at)
        return match

    return ended
