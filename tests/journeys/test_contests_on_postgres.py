"""Contests on a real PostgreSQL: a season without an organiser, two who begin one at the same moment, the pages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from pbem.competitions.entries import enter, locked
from pbem.competitions.models import Competition, Edition
from pbem.competitions.systems.round_robin import Groups
from pbem.competitions.tasks import begin_and_end, go_on
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.blocks import refuse
from pbem.players.models import Player
from pbem.players.services import register
from tests.journeys.conftest import models_of
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.season import Season, judge
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove
NAMES = ("Ada", "Bice", "Ciro", "Dario", "Elio", "Fay", "Gino", "Ida")


@pytest.fixture
def database(cluster: Postgres, empty_tables: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with models_of(cluster.database(empty_tables), django_db_blocker):
        yield


@pytest.fixture
def cup(database: None) -> Competition:
    """Eight wait for it, and it begins this morning."""
    made = Competition.objects.create(
        name="Coppa",
        system=Competition.System.GROUPS,
        game_name="loa",
        settings=Groups(size=4).kept(),
        begins_at=MORNING,
    )
    for name in NAMES:
        player = register(name=name, email=f"{name.lower()}@example.it", language="it", now=MORNING)
        enter(made, player, now=MORNING)
    return made


def test_a_season_without_an_organiser(database: None) -> None:
    Season(2).live(days=140)
    judge()


def test_of_two_sweeps_at_once_one_begins_it(cup: Competition) -> None:
    with transaction.atomic():
        locked(cup)
        waiting = [elsewhere(lambda: go_on(cup.pk, now=MORNING, rng=Random(1))) for _ in range(2)]
        wait_until(somebody_waits, "the sweeps wait for the contest")
    for each in waiting:
        each.result(60)
    assert Edition.objects.count() == 1
    assert Match.objects.count() == 2 * 6
    assert OutboundMail.objects.filter(kind="contest_begins").count() == len(NAMES)


def test_the_pages_of_the_desk(cup: Competition) -> None:
    ada, bice = (Player.objects.get(name=name) for name in NAMES[:2])
    refuse(ada, bice, blocked=True, now=MORNING)
    desk = Client(headers={"accept-language": "it"})
    desk.force_login(User.objects.create_superuser("olga"))
    here = f"/admin/contests/competition/{cup.pk}"
    for where in (f"{here}/change/", f"{here}/press/groups/", f"{here}/press/begin/"):
        assert desk.get(where).status_code == 200
    begin_and_end(now=MORNING, rng=Random(1))
    for where in (
        "/admin/",
        f"{here}/change/",
        "/admin/matches/match/?wish=against",
        f"/admin/matches/tournament/{Edition.objects.get().tables.all()[0].pk}/change/",
    ):
        assert desk.get(where).status_code == 200
