"""The sweep looks into an index: ten thousand matches cost it what ten cost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.matches import tasks
from pbem.matches.clock import absences, stops
from pbem.matches.models import Event, Match
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from tests.clocks import due
from tests.mail_fixtures import MORNING, Correspondent, Post

HOUR = timedelta(hours=1)
Begin = Callable[..., Match]
LISTS = [tasks.due, stops.ended, absences.near]


@pytest.fixture
def timed(alice: Correspondent, bruno: Correspondent) -> Match:
    players = {"first": alice.player, "second": bruno.player}
    return start(**players, game="loa", terms=Terms(clock="3d/move"), now=MORNING, rng=Random(1))


def fill(match: Match, number: int) -> None:
    """So many matches like it, whose time has not come."""
    later = MORNING + timedelta(days=300)
    Match.objects.bulk_create(
        Match(
            game_name=match.game_name,
            rules_version=1,
            position=match.position,
            status=Match.Status.PLAYING,
            to_move=0,
            deadline=later,
            remind_at=later,
            paused_until=later,
        )
        for _ in range(number)
    )


@pytest.mark.prove
def test_every_list_is_a_look_into_an_index(timed: Match) -> None:
    fill(timed, 10_000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for number, names in enumerate(["match_remind", "match_paused", "match_deadline"]):
        with CaptureQueriesContext(connection) as queries:
            list(LISTS[number](MORNING + HOUR))
        [query] = queries.captured_queries
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            plan = "\n".join(str(row) for row in cursor.fetchall())
        assert names in plan, plan
        assert "SCAN matches_match" not in plan, plan


def test_a_sweep_with_nothing_to_do_is_five_queries(timed: Match) -> None:
    with CaptureQueriesContext(connection) as queries:
        tasks.sweep_clocks(now=MORNING + HOUR)
    assert len(queries) == 5


def test_a_match_that_fails_keeps_no_other_waiting(
    timed: Match, begin: Begin, caplog: pytest.LogCaptureFixture
) -> None:
    other = begin()
    due(other, MORNING + 48 * HOUR)
    Match.objects.filter(pk=other.pk).update(remind_at=MORNING)
    Match.objects.filter(pk=other.pk).update(terms={"no": "such term"})
    tasks.sweep_clocks(now=MORNING + 36 * HOUR)
    assert [event.match_id for event in Event.objects.filter(kind="reminded")] == [timed.pk]
    assert str(other.pk) in caplog.text


def test_a_reminder_that_was_noted_too_early_waits_for_its_time(timed: Match) -> None:
    """A deadline moved back by an outage leaves the note of the next reminder as it was."""
    Match.objects.update(remind_at=MORNING + HOUR)
    tasks.sweep_clocks(now=MORNING + HOUR)
    assert not Event.objects.filter(kind="reminded").exists()
    assert Match.objects.get().remind_at == MORNING + 36 * HOUR


def test_each_rung_is_told_once_however_often_it_is_swept(post: Post, timed: Match) -> None:
    for _ in range(3):
        tasks.sweep_clocks(now=MORNING + 36 * HOUR)
    assert Event.objects.filter(kind="reminded").count() == 1
    match = Match.objects.get()
    assert match.reminded == {"ply": 0, "rungs": ["half"]}
    assert match.remind_at == MORNING + 48 * HOUR
    assert match.moving
    play(match.moving, "b1-b3", now=MORNING + 37 * HOUR)
    post.now = MORNING + 37 * HOUR + 36 * HOUR
    post.live()
    tasks.sweep_clocks(now=post.now)
    assert Event.objects.filter(kind="reminded").count() == 2
