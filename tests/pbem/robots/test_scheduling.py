"""When a robot is to think, how strong, and how soon."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from pbem.matches import services as matches
from pbem.matches.arbitration import replace
from pbem.matches.models import Event, Match, Offer
from pbem.matches.offers import make, swap
from pbem.players.models import Player
from pbem.robots import services
from pbem.robots.models import EngineJob
from pbem.robots.scheduling import expect
from pbem.robots.services import LONGEST
from tests.broker import Enqueued
from tests.mail_fixtures import Correspondent, Post
from tests.pbem.robots.conftest import Thinks, any_move
from tests.players_fixtures import Begin

MINUTE = timedelta(minutes=1)


def test_a_robot_that_begins_is_told_at_once_and_rung_for(
    against: Begin, enqueued: Enqueued, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        match = against("insert", "second")
    row = EngineJob.objects.get()
    assert (row.match, row.ply, row.side, row.level) == (match, 0, 0, 1)
    assert enqueued["pbem.robots.tasks.think"] == [row.pk]


def test_a_match_of_two_people_asks_nothing_about_robots(loa: Match, post: Post) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        matches.play(Match.objects.get(pk=loa.pk).seated[0], "b8-b6", now=post.now)
    assert "robots_enginejob" not in " ".join(query["sql"] for query in asked.captured_queries)


@pytest.mark.parametrize(
    ("terms", "delay", "least", "most"),
    [("", [1, 4], 1, 4), ("3d/move", [600, 900], 432, 432), ("hold=10", [1, 4], 10, 10)],
    ids=["a few minutes", "a tenth of its time at most", "until the move before stands"],
)
def test_it_takes_its_time(
    terms: str, delay: list[float], least: int, most: int, against: Begin, post: Post, settings: Settings
) -> None:
    settings.ROBOT_DELAY = delay
    match = against("loa", "first", *terms.split())
    matches.play(match.seated[0], any_move(match), now=post.now)
    row = EngineJob.objects.get()
    assert post.now + least * MINUTE <= row.due_at <= post.now + most * MINUTE
    assert not list(services.due(now=post.now))
    assert list(services.due(now=row.due_at)) == [row.pk]


def test_a_strong_robot_plays_as_the_one_below_after_so_many_thoughts_a_day(
    against: Begin, post: Post, settings: Settings, bruno: Correspondent
) -> None:
    settings.ROBOT_THINKS_PER_DAY = 2
    against("insert", "second", level=3)
    against("insert", "second", level=3)
    against("insert", "second", level=3)
    assert [row.level for row in EngineJob.objects.order_by("pk")] == [3, 3, 2]
    post.wait(hours=25)
    late = Match.objects.latest("pk")
    late.thinks.all().delete()
    expect(late, post.now)
    assert EngineJob.objects.latest("pk").level == 3


def test_all_robots_together_have_so_much_of_the_processor_a_day(
    against: Begin, post: Post, settings: Settings
) -> None:
    settings.ROBOT_CPU_PER_DAY = 100
    against("insert", "second", level=3)
    EngineJob.objects.update(seconds=100.5)
    against("insert", "second", level=3)
    against("insert", "second", level=1)
    assert [row.level for row in EngineJob.objects.order_by("pk")] == [3, 2, 1]
    post.wait(hours=25)
    late = Match.objects.filter(thinks__level=2).get()
    late.thinks.all().delete()
    expect(late, post.now)
    assert EngineJob.objects.latest("pk").level == 3


def test_it_takes_the_first_move_over_or_answers_when_somebody_else_has(
    against: Begin, post: Post, thinks: Thinks
) -> None:
    match = against("loa", "second", "pie")
    thinks()
    match.refresh_from_db()
    assert match.ply == 1
    swap(Match.objects.get(pk=match.pk).seated[1], now=post.now)
    assert thinks() == 1
    assert Match.objects.get(pk=match.pk).ply == 2


def test_two_robots_whom_the_organiser_has_seated_come_to_an_end(
    against: Begin, post: Post, thinks: Thinks
) -> None:
    match = against("loa", "second")
    thinks()
    Match.objects.filter(pk=match.pk).update(ply=LONGEST - 1)
    replace(Match.objects.get(pk=match.pk).seated[1], Player.objects.get(robot=2), reason="", now=post.now)
    assert thinks() == 2
    over = Match.objects.get(pk=match.pk)
    assert (over.status, over.winner, over.reason) == ("over", None, "agreed")


def test_a_draw_is_taken_with_its_next_move_or_lapses(against: Begin, post: Post, thinks: Thinks) -> None:
    match = against()
    seat = Match.objects.get(pk=match.pk).seated[0]
    matches.offer_draw(seat, now=post.now)
    matches.play(seat, any_move(match), now=post.now)
    Match.objects.filter(pk=match.pk).update(ply=41)
    EngineJob.objects.update(ply=41)
    thinks()
    assert Match.objects.get(pk=match.pk).reason == "agreed"
    assert Event.objects.filter(kind=Event.Kind.ENDED).get().side == 1


def test_a_draw_offered_with_a_move_is_declined_beside_the_answer(
    against: Begin, alice: Correspondent, post: Post, thinks: Thinks
) -> None:
    match = against()
    seat = Match.objects.get(pk=match.pk).seated[0]
    matches.offer_draw(seat, now=post.now)
    matches.play(seat, any_move(match), now=post.now)
    thinks()
    assert Match.objects.get(pk=match.pk).ply == 2
    assert "rejected" in alice.kinds()


@pytest.mark.parametrize(
    ("earliest", "chance", "kind"), [(2, 0.5, "result"), (2, 0.9, "rejected"), (40, 0.5, "rejected")]
)
def test_a_draw_offered_while_it_is_the_persons_turn_is_answered_at_once(
    against: Begin,
    alice: Correspondent,
    post: Post,
    thinks: Thinks,
    monkeypatch: pytest.MonkeyPatch,
    earliest: int,
    chance: float,
    kind: str,
) -> None:
    monkeypatch.setattr(services, "EARLIEST", earliest)
    match = against()
    matches.play(Match.objects.get(pk=match.pk).seated[0], any_move(match), now=post.now)
    thinks()
    EngineJob.objects.update(chance=chance)
    alice.reads()
    matches.offer_draw(Match.objects.get(pk=match.pk).seated[0], now=post.now)
    assert thinks() == 1
    assert Match.objects.get(pk=match.pk).status == ("over" if kind == "result" else "playing")
    assert kind in alice.kinds()


def test_a_pause_is_granted_while_it_is_the_persons_turn(against: Begin, post: Post, thinks: Thinks) -> None:
    match = against()
    make(Match.objects.get(pk=match.pk).seated[0], Offer.Kind.PAUSE, days=7, now=post.now)
    row = EngineJob.objects.get()
    assert row.kind == "answer"
    assert thinks() == 1
    assert Match.objects.get(pk=match.pk).paused_until == post.now + timedelta(days=7)
