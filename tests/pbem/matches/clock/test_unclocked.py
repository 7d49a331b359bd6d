"""Since when somebody is to move, with a clock or without; and what reminds them where nobody's time is limited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.competitions.tournaments import begin_list, open_tournament
from pbem.matches import tasks
from pbem.matches.arbitration import enter_move, replace, void
from pbem.matches.models import Event, Match
from pbem.matches.offers import roll_back
from pbem.matches.services import play, resign, start
from pbem.matches.terms import NONE, Terms
from pbem.players.models import Absence, Player
from tests.mail_fixtures import MORNING, Correspondent, Post, registered

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Begin = Callable[[Terms], Match]


@pytest.fixture
def begin(alice: Correspondent, bruno: Correspondent) -> Begin:
    def begun(terms: Terms = NONE) -> Match:
        players = {"first": alice.player, "second": bruno.player}
        return start(**players, game="loa", terms=terms, now=MORNING, rng=Random(1))

    return begun


def since(match: Match) -> datetime | None:
    return Match.objects.get(pk=match.pk).to_move_since


def moments(match: Match, days: int) -> Iterator[tuple[float, int]]:
    """When Bruno is reminded in so many days, looked at every hour: (days after the turn began, what is told)."""
    for hours in range(days * 24):
        now = MORNING + hours * HOUR
        if hours % 24 and not tasks.unclocked_due(now):
            continue  # the sweep would find nothing, which it does once a day
        known = Event.objects.count()
        tasks.sweep_clocks(now=now)
        if Event.objects.count() > known:
            event = Event.objects.latest("pk")
            assert event.kind == Event.Kind.REMINDED
            yield hours / 24, event.facts["waiting"]


@pytest.mark.parametrize("terms", [NONE, Terms(clock="10d+36h<=10d")])
def test_since_when_a_move_is_awaited(post: Post, begin: Begin, terms: Terms) -> None:
    match = begin(terms)
    assert since(match) == MORNING
    play(match.seated[0], "b1-b3", now=MORNING + HOUR)
    assert since(match) == MORNING + HOUR
    enter_move(match, "a2-c2", made_at=MORNING + HOUR, reason="x", now=MORNING + 5 * HOUR)
    assert since(match) == MORNING + 5 * HOUR  # nobody could know of it before it was entered
    roll_back(match, 0, now=MORNING + 6 * HOUR, side=None)
    assert since(match) == MORNING + 6 * HOUR
    dora = registered(post, "Dora", "en").player
    replace(match.seated[1], dora, reason="x", now=MORNING + 7 * HOUR)
    assert since(match) == MORNING + 6 * HOUR
    match = Match.objects.get(pk=match.pk)
    replace(match.seated[0], registered(post, "Emil", "en").player, reason="x", now=MORNING + 8 * HOUR)
    assert since(match) == MORNING + 8 * HOUR
    void(Match.objects.get(pk=match.pk), reason="x", now=MORNING + 9 * HOUR)
    assert since(match) is None


def test_nobody_is_to_move_when_it_is_over(begin: Begin) -> None:
    match = begin(NONE)
    resign(match.seated[1], now=MORNING + HOUR)
    assert since(match) is None
    assert tasks.unclocked_due(MORNING + 99 * DAY) == []
    roll_back(match, 0, now=MORNING + 2 * HOUR, side=None)
    assert since(match) == MORNING + 2 * HOUR


def test_the_matches_of_a_tournament_have_it_too(alice: Correspondent, bruno: Correspondent) -> None:
    cup = open_tournament("Cup", game="loa", now=MORNING)
    [match] = begin_list(cup, "Alice, Bruno", number=1, now=MORNING, rng=Random(1))
    assert since(match) == MORNING
    assert tasks.unclocked_due(MORNING + 7 * DAY) == [match.pk]


def test_it_costs_a_move_no_statement(begin: Begin) -> None:
    match = begin(NONE)
    with CaptureQueriesContext(connection) as queries:
        play(match.seated[0], "b1-b3", now=MORNING + HOUR)
    updates = [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
    assert len([sql for sql in updates if "matches_match" in sql]) == 1


@pytest.mark.prove
def test_reminders_after_one_week_and_two_and_then_none(begin: Begin) -> None:
    match = begin(NONE)
    assert list(moments(match, 60)) == [(7.0, 7), (14.0, 14)]


@pytest.mark.prove
@pytest.mark.parametrize(("wish", "reminders"), [("last", [(14.0, 14)]), ("none", [])])
def test_by_the_wishes_of_the_player(
    begin: Begin, alice: Correspondent, wish: str, reminders: list[tuple[float, int]]
) -> None:
    Player.objects.filter(name="Alice").update(reminders=wish)
    assert list(moments(begin(NONE), 40)) == reminders


@pytest.mark.prove
def test_a_move_begins_the_week_anew(begin: Begin) -> None:
    match = begin(NONE)
    play(match.seated[0], "b1-b3", now=MORNING + 6 * DAY)
    assert [day for day, _ in moments(match, 21)] == [13.0, 20.0]


def test_a_clock_has_reminders_of_its_own(begin: Begin) -> None:
    match = begin(Terms(clock="30d"))
    assert match.unclocked_remind_at is None
    assert tasks.unclocked_due(MORNING + 99 * DAY) == []


@pytest.mark.parametrize("zone", ["Europe/Rome", "America/Los_Angeles", "Asia/Tokyo"])
def test_never_at_night(begin: Begin, alice: Correspondent, zone: str) -> None:
    """Nobody has to say when they sleep."""
    Player.objects.filter(name="Alice").update(zone=zone)
    match = begin(NONE)
    Match.objects.update(to_move_since=MORNING - 13 * HOUR)
    told = []
    for day, _waiting in moments(match, 20):
        moment = MORNING + day * DAY
        told.append(moment.astimezone(ZoneInfo(zone)).hour)
    assert len(told) == 2
    assert all(8 <= hour < 22 for hour in told)


@pytest.mark.prove
def test_not_while_he_is_away(begin: Begin, alice: Correspondent) -> None:
    match = begin(NONE)
    Absence.objects.create(
        player=alice.player, since=MORNING + 5 * DAY, until=MORNING + 9 * DAY, created_at=MORNING
    )
    assert [day for day, _ in moments(match, 20)] == [9.0, 14.0]


def test_not_while_the_organiser_has_stopped_it(begin: Begin) -> None:
    match = begin(NONE)
    Match.objects.update(stopped=["organiser"])
    assert list(moments(match, 10)) == []
    Match.objects.update(stopped=[])
    tasks.remind_unclocked(match.pk, now=MORNING + 12 * DAY)
    assert Event.objects.filter(kind=Event.Kind.REMINDED).count() == 1


def test_the_letter_says_how_long_and_that_no_time_runs(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin(NONE)
    post.send()
    alice.reads(), bruno.reads()
    post.wait(hours=7 * 24)
    tasks.sweep_clocks(now=post.now)
    post.send()
    [letter] = alice.reads()
    assert letter.kind == "reminder"
    said = " ".join(letter.text.split())
    assert "It has been your turn against Bruno for 7 days. This match has no clock" in said
    assert bruno.reads() == []
    assert alice.answers(letter, "b1-b3").verdict == "ok"
    alice.reads(), bruno.reads()
    post.wait(hours=8 * 24)
    tasks.sweep_clocks(now=post.now)
    post.send()
    [reminder] = bruno.reads()
    assert "Tocca a te contro Alice da" in " ".join(reminder.text.split())


@pytest.mark.prove
def test_the_list_is_a_look_into_an_index(begin: Begin) -> None:
    match = begin(NONE)
    later = MORNING + 300 * DAY
    common = {"game_name": "loa", "rules_version": 1, "position": match.position, "to_move": 0}
    Match.objects.bulk_create(
        Match(**common, status="playing", to_move_since=later, unclocked_remind_at=later)
        for _ in range(5_000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        with CaptureQueriesContext(connection) as queries:
            tasks.unclocked_due(MORNING + DAY)
        cursor.execute(f"EXPLAIN QUERY PLAN {queries.captured_queries[0]['sql']}")
        plan = "\n".join(str(row) for row in cursor.fetchall())
    assert "match_unclocked" in plan, plan
