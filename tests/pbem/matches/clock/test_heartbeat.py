"""Our own outages: seen by the missing signs of life, credited to every clock once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.matches.clock import outages
from pbem.matches.clock.outages import (
    COMING_BACK,
    GAP,
    GIVEN_UP,
    KEPT,
    PERIOD,
    beat,
    coming_back,
    record_heartbeat,
    up_until,
)
from pbem.matches.models import Component, Heartbeat, Match, Outage
from tests.clocks import due
from tests.mail_fixtures import MORNING

Begin = Callable[..., Match]
WORKER, DOOR = Component.WORKER, Component.DOOR
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def alive(component: Component, begin: float, end: float) -> None:
    """A beat each minute, from one minute after MORNING to the other."""
    for minute in range(round(begin), round(end) + 1):
        beat(component, now=MORNING + minutes(minute))


@pytest.fixture
def match(begin: Begin) -> Match:
    """Alice has an hour."""
    return due(begin(), MORNING + HOUR)


def left(match: Match) -> timedelta:
    match.refresh_from_db()
    assert match.deadline
    return match.deadline - MORNING


def test_a_fresh_service_was_never_away(match: Match) -> None:
    beat(WORKER, now=MORNING + minutes(30))
    beat(DOOR, now=MORNING + minutes(50))
    assert left(match) == HOUR
    assert not Outage.objects.exists()


def test_a_minute_is_no_outage(match: Match) -> None:
    beat(WORKER, now=MORNING)
    beat(WORKER, now=MORNING + GAP)
    assert left(match) == HOUR
    beat(WORKER, now=MORNING + 2 * GAP + SECOND)
    assert left(match) == HOUR + GAP + SECOND + coming_back(GAP + SECOND)


def test_a_minute_has_one_row_however_many_workers_beat(db: None) -> None:
    for second in (0, 20, 40, 59):
        beat(WORKER, now=MORNING + timedelta(seconds=second))
    beat(DOOR, now=MORNING)
    beat(WORKER, now=MORNING + minutes(1))
    assert Heartbeat.objects.filter(component=WORKER).count() == 2
    assert Heartbeat.objects.filter(component=DOOR).count() == 1


def test_an_outage_is_credited_once_however_often_the_task_runs(match: Match) -> None:
    alive(WORKER, 0, 5)
    for _ in range(3):
        beat(WORKER, now=MORNING + minutes(25))
    alive(WORKER, 26, 30)
    assert left(match) == HOUR + minutes(20) + minutes(40)
    outage = Outage.objects.get()
    assert (outage.since, outage.until) == (MORNING + minutes(5), MORNING + minutes(25))


def test_killed_in_the_middle_of_crediting_nothing_is_half_done(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    def die(*args: object) -> int:
        raise Killed

    alive(WORKER, 0, 5)
    with monkeypatch.context() as patched:
        patched.setattr(outages, "recount_soon", die)
        with pytest.raises(Killed):
            beat(WORKER, now=MORNING + minutes(25))
    assert (left(match), Outage.objects.count()) == (HOUR, 0)
    assert up_until(MORNING + minutes(25)) == MORNING + minutes(5), "so nobody is flagged before it is done"
    beat(WORKER, now=MORNING + minutes(26))
    assert left(match) == HOUR + minutes(21) + minutes(40)


@pytest.mark.parametrize("first", [WORKER, DOOR])
def test_what_took_both_away_is_credited_once(match: Match, first: Component) -> None:
    alive(WORKER, 0, 5)
    alive(DOOR, 0, 5)
    second = DOOR if first is WORKER else WORKER
    beat(first, now=MORNING + minutes(25))
    beat(second, now=MORNING + minutes(25) + SECOND)
    assert left(match) == HOUR + minutes(20) + SECOND + minutes(40)


def test_where_two_outages_overlap_their_union_is_credited(match: Match) -> None:
    """The worker is away from 5 to 25, the door from 15 to 50: 45 minutes, and what comes back after the door's."""
    alive(DOOR, 0, 15)
    alive(WORKER, 0, 5)
    alive(WORKER, 25, 50)
    beat(DOOR, now=MORNING + minutes(50))
    assert left(match) == HOUR + minutes(45) + coming_back(minutes(35))


def test_a_short_outage_within_a_long_one_gives_nothing_more(match: Match) -> None:
    """The door is away from 70 to 80, the worker from 50 to 90. The hour ends between the two beginnings."""
    alive(WORKER, 0, 50)
    alive(DOOR, 0, 70)
    beat(DOOR, now=MORNING + minutes(80))
    assert left(match) == HOUR
    beat(WORKER, now=MORNING + minutes(90))
    assert left(match) == HOUR + minutes(40) + coming_back(minutes(40))


def test_time_that_was_over_before_the_outage_stays_over(match: Match) -> None:
    due(match, MORNING + minutes(4))
    alive(WORKER, 0, 5)
    beat(WORKER, now=MORNING + minutes(25))
    assert left(match) == minutes(4)


def test_what_a_clock_that_was_ahead_has_seen_hides_no_outage(match: Match) -> None:
    """The machine's clock is wrong by a day, forward, for a minute; an hour later the service is away."""
    alive(WORKER, 0, 2)
    beat(WORKER, now=MORNING + minutes(3) + 24 * HOUR)
    assert left(match) == HOUR + minutes(1) + 30 * HOUR
    alive(WORKER, 4, 10)
    confused = minutes(2) + coming_back(minutes(2))
    assert left(match) == HOUR + confused
    assert Outage.objects.get().until == MORNING + minutes(4)
    assert up_until(MORNING + minutes(20)) == MORNING + minutes(10)
    alive(WORKER, 11, 70)
    beat(WORKER, now=MORNING + minutes(90))
    assert left(match) == HOUR + confused + minutes(20) + minutes(40)
    assert Heartbeat.objects.filter(beat_at__gt=MORNING + minutes(90)).count() == 0


def test_nobody_is_known_to_live_before_the_first_beat(db: None) -> None:
    beat(DOOR, now=MORNING)
    assert up_until(MORNING) is None
    beat(WORKER, now=MORNING + SECOND)
    assert up_until(MORNING + HOUR) == MORNING
    beat(DOOR, now=MORNING + minutes(1))
    assert up_until(MORNING + HOUR) == MORNING + SECOND


def test_a_door_that_is_shut_counts_until_other_servers_give_up(db: None) -> None:
    beat(DOOR, now=MORNING)
    for away in (SECOND, GAP, GIVEN_UP):
        beat(WORKER, now=MORNING + away)
        assert up_until(MORNING + away) == MORNING
    beat(WORKER, now=MORNING + GIVEN_UP + minutes(1))
    assert up_until(MORNING + GIVEN_UP + minutes(1)) == MORNING + GIVEN_UP + minutes(1)


def test_whoever_wakes_up_beats_first(match: Match) -> None:
    record_heartbeat(WORKER, now=MORNING)
    record_heartbeat(WORKER, now=MORNING + PERIOD - SECOND)
    assert Heartbeat.objects.count() == 1
    record_heartbeat(WORKER, now=MORNING + minutes(20))
    assert left(match) == HOUR + minutes(20) + minutes(40)


def test_old_beats_are_forgotten(db: None) -> None:
    alive(WORKER, 0, 3)
    beat(WORKER, now=MORNING + KEPT + minutes(2.5))
    assert Heartbeat.objects.filter(minute__lt=MORNING + minutes(2)).count() == 0
    assert Heartbeat.objects.count() == 2
    assert Outage.objects.get().until == MORNING + KEPT + minutes(2.5), "even of an outage as long as that"


def test_longer_outages_bring_letters_back_later() -> None:
    longest, pauses = zip(*COMING_BACK, strict=True)
    assert list(longest) == sorted(longest)
    assert list(pauses) == sorted(pauses)
    assert coming_back(timedelta(days=900)) == timedelta(hours=6)
