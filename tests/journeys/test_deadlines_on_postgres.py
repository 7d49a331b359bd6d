"""Two connections that meet at a deadline, on a real PostgreSQL: one of them wins, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from pbem.inbox.models import LONGEST_KEEPING, InboundMail
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.clock.deadlines import claim, flag
from pbem.matches.clock.outages import beat, coming_back
from pbem.matches.models import Component, Event, Match, Outage
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.players.services import register
from pbem.refusals import Refused
from tests.clocks import due
from tests.journeys.conftest import models_of
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING, Post, play_address
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove

HOUR = timedelta(hours=1)
LATE = MORNING + 2 * HOUR


@pytest.fixture(scope="module")
def url(cluster: Postgres, empty_tables: str) -> str:
    return cluster.database(empty_tables)


@pytest.fixture
def match(url: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Match]:
    """Alice is to move, and has an hour."""
    with models_of(url, django_db_blocker):
        call_command("flush", verbosity=0, interactive=False)
        first, second = (
            register(name=name, email=f"{name.lower()}@example.org", language="en", now=MORNING)
            for name in ("Alice", "Bruno")
        )
        match = start(first=first, second=second, game="loa:6x6", now=MORNING, rng=Random(0))
        yield due(match, MORNING + HOUR)


def moves(match: Match) -> None:
    """Alice's letter came with the last moment, and is opened an hour later."""
    with transaction.atomic():
        seat = Match.objects.locked().get(pk=match.pk).seated[0]
        play(seat, "b1-b3", now=LATE, arrived=MORNING + HOUR)


def flags(match: Match) -> bool:
    return flag(Match.objects.overdue(LATE), match.pk, now=LATE)


def test_a_move_that_is_being_played_is_not_flagged(match: Match) -> None:
    with transaction.atomic():
        moves(match)
        flagged = elsewhere(lambda: flags(match))
        wait_until(somebody_waits, "the flag waits for the match")
    assert flagged.result(60) is False
    match.refresh_from_db()
    assert (match.ply, match.status) == (1, Match.Status.PLAYING)


def test_after_a_flag_that_is_being_set_nothing_is_played(match: Match) -> None:
    with transaction.atomic():
        assert flags(match)
        moved = elsewhere(lambda: moves(match))
        wait_until(somebody_waits, "the move waits for the match")
    with pytest.raises(Refused, match="match_over"):
        moved.result(60)
    match.refresh_from_db()
    assert (match.ply, match.reason) == (0, "time")


def claims(match: Match) -> None:
    with transaction.atomic():
        claim(Match.objects.locked().get(pk=match.pk).seated[1], now=LATE)


@pytest.fixture
def overstepped(match: Match) -> Match:
    """Bruno may claim the win; until he does, Alice's late move counts."""
    match.terms = Terms(clock="1h/move", policy="claim").kept()
    match.save(update_fields=["terms"])
    assert flags(match)
    return match


def test_after_a_claim_that_is_being_made_no_late_move_is_played(overstepped: Match) -> None:
    with transaction.atomic():
        claims(overstepped)
        moved = elsewhere(lambda: moves(overstepped))
        wait_until(somebody_waits, "the move waits for the match")
    with pytest.raises(Refused, match="match_over"):
        moved.result(60)


def test_while_a_late_move_is_being_played_nothing_is_claimed(overstepped: Match) -> None:
    with transaction.atomic():
        moves(overstepped)
        claimed = elsewhere(lambda: claims(overstepped))
        wait_until(somebody_waits, "the claim waits for the match")
    with pytest.raises(Refused, match="nothing_to_claim"):
        claimed.result(60)
    overstepped.refresh_from_db()
    assert (overstepped.ply, overstepped.flagged_at) == (1, None)


def test_two_sweeps_flag_once(match: Match) -> None:
    with transaction.atomic():
        assert flags(match)
        second = elsewhere(lambda: flags(match))
        wait_until(somebody_waits, "the second sweep waits for the match")
    assert second.result(60) is False
    assert Event.objects.filter(kind=Event.Kind.ENDED).count() == 1


def test_a_letter_that_is_being_kept_is_not_overlooked(match: Match) -> None:
    """It came with the last moment; its row is committed only after the first sweep has looked."""
    post = Post(now=MORNING + HOUR)
    with transaction.atomic():
        post.keep(b"From: alice@example.org\r\n\r\nb1-b3\r\n", play_address(), "alice@example.org")
        now = MORNING + HOUR + LONGEST_KEEPING
        elsewhere(lambda: beat(Component.WORKER, now=now)).result(60)
        assert elsewhere(lambda: flag_overdue(now=now)).result(60) == 0
        assert elsewhere(InboundMail.objects.count).result(60) == 0, "nobody else sees it yet"
    now += HOUR
    beat(Component.WORKER, now=now)
    assert flag_overdue(now=now) == 0


def test_parts_that_come_back_together_credit_an_outage_once(match: Match) -> None:
    """The second waits for the first, which has not committed yet."""
    back = MORNING + HOUR / 3
    for component in (Component.WORKER, Component.DOOR):
        beat(component, now=MORNING)
    with transaction.atomic():
        beat(Component.WORKER, now=back)
        door = elsewhere(lambda: beat(Component.DOOR, now=back))
        again = elsewhere(lambda: beat(Component.WORKER, now=back))
        wait_until(somebody_waits, "the door waits for the clocks")
    door.result(60)
    again.result(60)
    match.refresh_from_db()
    assert match.deadline == MORNING + HOUR + HOUR / 3 + coming_back(HOUR / 3)
    assert Outage.objects.count() == 2
