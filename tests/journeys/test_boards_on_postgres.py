"""Two processes post the same move at once, again and again, on a real PostgreSQL: each is played once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from pbem.matches.models import Match, Turn
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.players.services import register
from pbem.site.browsers import COOKIE
from tests.journeys.conftest import models_of
from tests.journeys.double_posts import post_all
from tests.pbem.site.boards import known, path_of
from tests.servers import Postgres

pytestmark = pytest.mark.prove
TIMES = 250


@pytest.fixture
def players(
    cluster: Postgres, empty_tables: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[str, list]]:
    url = cluster.database(empty_tables)
    with models_of(url, django_db_blocker):
        call_command("flush", verbosity=0, interactive=False)
        now = timezone.now()
        yield (
            url,
            [register(name=n, email=f"{n}@example.org", language="en", now=now) for n in ("Anna", "Berto")],
        )


def test_each_half_move_once(players: tuple[str, list[Player]]) -> None:
    url, (anna, berto) = players
    now, rng = timezone.now(), Random(1)
    for _ in range(TIMES):
        start(first=anna, second=berto, game="loa", now=now, rng=rng)
    cookie = known(anna, now).cookies[COOKIE].value
    posts = [(path_of(match.seated[0]), "b1-b3") for match in Match.objects.order_by("pk")]
    spawn = get_context("spawn")
    together, said = spawn.Barrier(2), spawn.Queue()
    both = [spawn.Process(target=post_all, args=(url, cookie, posts, together, said)) for _ in range(2)]
    for process in both:
        process.start()
    answers = [said.get(timeout=500) for _ in both]
    for process in both:
        process.join(60)
    assert Counter(tuple(sorted(pair)) for pair in zip(*answers, strict=True)) == {(303, 409): TIMES}
    assert Turn.objects.count() == TIMES
    assert set(Match.objects.values_list("ply", flat=True)) == {1}
