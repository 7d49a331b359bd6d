"""`python -m tests.bench.lists N`: fills a database with N matches and prints a figure a line, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import tests.bench  # noqa: F401 - sets Django up
from pbem.inbox.services import waiting
from pbem.inbox.time_forfeits import overdue_beyond_doubt
from pbem.matches.models import Match
from pbem.matches.tasks import sweep_clocks
from pbem.outbox.notifications import digests
from pbem.outbox.sending import due
from pbem.players.models import Player
from tests.bench.figures import Peer, Row
from tests.bench.filling import fill
from tests.bench.house import staged

TRIES = 30
QUERY, SWEEP, PAGE = 0.6, 10, 250  # milliseconds


def main(matches: int) -> None:
    call_command("migrate", verbosity=0)
    alone = staged(8).whole
    fill(matches)
    connection.close()  # what was planned for empty tables is forgotten
    for row in _figures(matches, alone):
        print(json.dumps(asdict(row)), flush=True)


def _figures(matches: int, alone: float) -> Iterator[Row]:
    now = timezone.now()
    players = list(Player.objects.people().order_by("pk")[2 : TRIES + 2])
    nothing = Peer("SELECT 1", _milliseconds(_asked("SELECT 1")))
    of_a_player = Match.objects.alive().of(players[0]).filter(to_move__isnull=False)
    queries: dict[str, QuerySet[Any, Any]] = {
        "matches that a player plays": of_a_player.values_list("pk", "to_move"),
        "matches whose time is over": Match.objects.overdue(now).values_list("pk")[:500],
    }
    for what, query in queries.items():
        sql, parameters = query.query.sql_with_params()
        yield Row(f"database: {what}", _milliseconds(_asked(sql, parameters)), "ms", nothing, bound=QUERY)
    sweeps: dict[str, Callable[[int], object]] = {
        "end of time, where no letter is in doubt": lambda n: list(
            overdue_beyond_doubt(now).values_list("pk", flat=True)
        ),
        "absences at the brink, pauses, reminders": lambda n: sweep_clocks(now=now),
        "digests to write": lambda n: list(digests.due(now=now)),
        "letters to send": lambda n: list(due(now=now)),
        "letters to open": lambda n: list(waiting(now=now)),
    }
    for what, work in sweeps.items():
        yield Row(f"sweep: {what}", _milliseconds(work), "ms", bound=SWEEP)
    yield from _pages(matches)
    among = staged(8).whole
    yield Row(
        f"a turn among {matches:,} matches to one among a few: {among:.1f} to {alone:.1f} ms",
        among / alone,
        "times",
        bound=1.2,
    )


def _pages(matches: int) -> Iterator[Row]:
    """What the organiser looks at."""
    desk = Client(headers={"host": "localhost"})
    desk.force_login(User.objects.create_superuser("olga"))
    rng = Random(1)
    some = list(Match.objects.filter(pk__in=rng.sample(range(1, matches), min(TRIES, matches // 10))))
    lists = reverse("admin:matches_match_changelist")
    pages: dict[str, Callable[[int], str]] = {
        "the desk": lambda n: reverse("admin:index"),
        "the desk's list of matches": lambda n: lists,
        "the same, those that are played": lambda n: f"{lists}?status__exact=playing",
        "the same, by a player's name": lambda n: f"{lists}?q=Player+{n + 100}",
        "the desk's list of letters that leave": lambda n: reverse("admin:outbox_outboundmail_changelist"),
        "the desk's page of a match": lambda n: reverse(
            "admin:matches_match_change", args=[some[n % len(some)].pk]
        ),
    }
    for what, page in pages.items():
        yield Row(what, _milliseconds(lambda n, page=page: _seen(desk, page(n))), "ms", bound=PAGE)


def _asked(sql: str, parameters: Sequence[Any] = ()) -> Callable[[int], None]:
    def ask(number: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            cursor.fetchall()

    return ask


def _seen(desk: Client, page: str) -> None:
    answer = desk.get(page)
    if answer.status_code != 200:
        raise RuntimeError(f"{page} was answered with {answer.status_code}")


def _milliseconds(work: Callable[[int], object]) -> float:
    """The median of some tries, the first of which is forgotten."""
    work(0)
    taken = []
    for number in range(TRIES):
        begin = perf_counter()
        work(number % TRIES)
        taken.append(perf_counter() - begin)
    return median(taken) * 1000


if __name__ == "__main__":
    main(int(sys.argv[1]))
