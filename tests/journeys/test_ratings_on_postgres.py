"""Matches that end at one moment, on a real PostgreSQL: each finds what the others have made of its players."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.ratings.models import Rating
from pbem.ratings.service import differences
from tests.journeys.conftest import models_of
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove


@pytest.fixture
def players(
    cluster: Postgres, empty_tables: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[Player]]:
    with models_of(cluster.database(empty_tables), django_db_blocker):
        yield [Player.objects.create(name=name) for name in ("Alice", "Bruno", "Carla", "Dora")]


def under_way(first: Player, second: Player) -> Match:
    """Two moves of each have been played."""
    match = start(first=first, second=second, game="loa", terms=Terms(rated=True), now=MORNING, rng=Random(1))
    for _ in range(4):
        match = Match.objects.get(pk=match.pk)
        assert match.moving
        play(match.moving, str(next(match.current().moves())), now=MORNING)
    return match


def end(match: Match, side: int, now: datetime) -> None:
    with transaction.atomic():
        resign(Match.objects.locked().get(pk=match.pk).seated[side], now=now)


def test_two_matches_of_a_player_that_end_together(players: list[Player]) -> None:
    """The later waits; neither's points are lost, though the one that ended first is written last."""
    alice, bruno, carla, dora = players
    one, other, apart = under_way(alice, bruno), under_way(carla, bruno), under_way(carla, dora)
    with transaction.atomic():
        end(one, 0, MORNING + timedelta(minutes=2))
        waiting = elsewhere(lambda: end(other, 0, MORNING + timedelta(minutes=1)))
        wait_until(somebody_waits, "the other match waits for its player")
    waiting.result(60)
    end(apart, 1, MORNING)
    assert list(differences("loa")) == []
    assert Rating.objects.get(player=bruno).matches == 2


def test_many_that_end_at_once_do_not_block_each_other(players: list[Player]) -> None:
    pairs = [(one, other) for one in players for other in players if one != other]
    matches = [under_way(*pair) for pair in pairs]

    def ends(number: int) -> None:
        end(matches[number], number % 2, MORNING + timedelta(minutes=number % 5))

    ended: list[Future[None]] = []
    for begin in range(0, len(matches), 4):
        ended += [elsewhere(lambda number=number: ends(number)) for number in range(begin, begin + 4)]
        for each in ended:
            each.result(60)
    assert list(differences("loa")) == []
    assert sum(Rating.objects.values_list("matches", flat=True)) == 2 * len(matches)
