"""What others may know of a player, from the matches that they have played."""

from datetime import datetime, timedelta
from random import Random

import pytest
from pytest_django import DjangoAssertNumQueries

from games.protocol import Outcome, Side
from pbem.matches.lifecycle import finish
from pbem.matches.matchmaking import eligibility
from pbem.matches.matchmaking.eligibility import reliability_of
from pbem.matches.models import Match, Turn
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.players.services import register
from tests.mail_fixtures import MORNING

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def anna() -> Player:
    return register(name="Anna", email="anna@example.org", language="it", now=MORNING)


@pytest.fixture
def bruno() -> Player:
    return register(name="Bruno", email="bruno@example.org", language="it", now=MORNING)


def played(first: Player, second: Player, replies: list[float], *, at: datetime = MORNING) -> Match:
    """A match whose turns took so many hours each; what was moved does not matter here."""
    match = start(first=first, second=second, game="loa", now=at, rng=Random(1))
    for ply, hours in enumerate(replies):
        at += hours * HOUR
        Turn.objects.create(match=match, ply=ply, side=ply % 2, move="-", position="-", key="-", played_at=at)
    return match


def lost_on_time(match: Match, side: Side) -> None:
    finish(match, Outcome(side.other, "time"), now=MORNING, side=None)


def test_of_a_newcomer_nothing_is_said(anna: Player, bruno: Player) -> None:
    known = reliability_of(anna, MORNING)
    assert (known.on_time, known.moves, known.median_reply, known.last_seen) == (None, 0, None, None)
    played(anna, bruno, [1] * 8)
    assert reliability_of(anna, MORNING + 9 * HOUR).on_time is None


def test_the_median_is_of_answers_to_the_opponent(anna: Player, bruno: Player) -> None:
    played(anna, bruno, [1, 50, 2, 50, 4, 50, 100])
    known = reliability_of(anna, MORNING + 1000 * HOUR)
    assert known.median_reply == 4 * HOUR
    assert known.moves == 4
    assert known.last_seen == MORNING + 257 * HOUR


def test_whoever_lets_his_time_run_out_is_less_on_time(anna: Player, bruno: Player) -> None:
    for _ in range(3):
        lost_on_time(played(anna, bruno, [1] * 8), Side.FIRST)
    later = MORNING + 10 * HOUR
    known, other = reliability_of(anna, later), reliability_of(bruno, later)
    assert (known.on_time, known.timeouts) == (80, 3)
    assert (other.on_time, other.timeouts) == (100, 0)


def test_only_the_latest_matches_count_and_two_queries_are_enough(
    anna: Player,
    bruno: Player,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(eligibility, "MATCHES", 2)
    lost_on_time(played(anna, bruno, [1] * 20), Side.FIRST)
    lost_on_time(played(anna, bruno, [1] * 20), Side.SECOND)
    lost_on_time(played(anna, bruno, [1] * 10), Side.FIRST)
    with django_assert_num_queries(2):
        known = reliability_of(anna, MORNING + 30 * HOUR)
    assert (known.moves, known.timeouts) == (15, 1)


def test_nothing_after_the_moment_is_known(anna: Player, bruno: Player) -> None:
    played(anna, bruno, [1] * 20)
    assert reliability_of(anna, MORNING + 2 * HOUR).moves == 1
    assert reliability_of(anna, MORNING - HOUR).moves == 0
