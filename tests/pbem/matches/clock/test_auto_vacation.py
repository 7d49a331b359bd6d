"""A day of absence instead of a loss on time: wanted by the player, or agreed on by both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from pytest_django import Settings

from pbem.matches import tasks
from pbem.matches.clock import absences
from pbem.matches.clock.deadlines import flag
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.players.models import Absence
from tests.mail_fixtures import MORNING, Correspondent, Post

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
Play = Callable[..., Match]


@pytest.fixture
def play(alice: Correspondent, bruno: Correspondent) -> Play:
    """A match at three days a move, Alice to move."""

    def play(**terms: object) -> Match:
        players = {"first": alice.player, "second": bruno.player}
        agreed = Terms(clock="3d/move", **terms)  # type: ignore[arg-type]
        return start(**players, game="loa", terms=agreed, now=MORNING, rng=Random(1))

    return play


def test_it_is_taken_in_the_last_minutes_alone(play: Play) -> None:
    match = play()
    assert list(absences.near(MORNING + 3 * DAY - 16 * MINUTE)) == []
    assert list(absences.near(MORNING + 3 * DAY - 14 * MINUTE)) == [match.pk]
    assert list(absences.near(MORNING + 3 * DAY)) == []  # too late: the flag decides


def test_day_after_day_until_none_is_left(post: Post, play: Play, settings: Settings) -> None:
    settings.ABSENCE_DAYS = 3
    play()
    for day in range(12):
        post.now = MORNING + day * DAY - 10 * MINUTE
        post.live()
        tasks.sweep_clocks(now=post.now)
    assert Absence.objects.count() == 3
    assert Match.objects.get().deadline == MORNING + 6 * DAY


def test_all_clocks_of_the_player_rest_and_the_day_counts_once(play: Play) -> None:
    play()
    play()
    tasks.sweep_clocks(now=MORNING + 3 * DAY - MINUTE)
    assert Absence.objects.count() == 1
    assert {match.deadline for match in Match.objects.all()} == {MORNING + 4 * DAY}


def test_what_both_agreed_on_happens_whatever_he_wants(play: Play, alice: Correspondent) -> None:
    match = play(policy="absence")
    player = alice.player
    player.automatic_absence = False
    player.save(update_fields=["automatic_absence"])
    late = MORNING + 3 * DAY + 5 * MINUTE
    assert flag(Match.objects.overdue(late), match.pk, now=late)
    match = Match.objects.get()
    assert match.status == Match.Status.PLAYING
    assert match.deadline == MORNING + 4 * DAY
    assert Absence.objects.get().kind == "automatic"


@pytest.mark.parametrize("terms", [{"absence": False}, {"nonstop": True}, {}])
def test_without_a_day_he_loses(play: Play, settings: Settings, terms: dict[str, object]) -> None:
    match = play(policy="absence", **terms)
    if not terms:
        settings.ABSENCE_DAYS = 0
    late = MORNING + 3 * DAY + 5 * MINUTE
    flag(Match.objects.overdue(late), match.pk, now=late)
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, 1, "time")
    assert not Absence.objects.exists()


def test_a_day_taken_ends_when_he_says_that_he_is_back(play: Play, alice: Correspondent) -> None:
    play()
    tasks.sweep_clocks(now=MORNING + 3 * DAY - MINUTE)
    absences.come_back(alice.player, now=MORNING + 3 * DAY)
    assert Match.objects.get().deadline == MORNING + 3 * DAY + MINUTE
