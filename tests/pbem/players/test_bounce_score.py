"""Addresses that send letters back: when they are paused, and when that is forgotten."""

from datetime import datetime, timedelta

import pytest

from pbem.players.models import Address, Player
from pbem.players.services import register
from pbem.players.subscriptions import halved, points_for
from pbem.refusals import Code
from tests.mail_fixtures import MORNING

HARD, SOFT = points_for(Code.HARD), points_for(Code.SOFT)


@pytest.fixture
def anna(db: None) -> Player:
    return register(name="Anna", email="anna@example.org", language="it", now=MORNING)


def after(**time: float) -> datetime:
    return MORNING + timedelta(**time)


def test_a_week_without_a_bounce_halves_the_score() -> None:
    left = [halved(3, MORNING, after(days=days)) for days in (0, 6.9, 7, 13.9, 14, 3650)]
    assert left == [3, 3, 1, 1, 0, 0]
    assert halved(3, after(days=99), MORNING) == 3  # a clock that was set back


@pytest.mark.parametrize(
    ("bounces", "paused"),
    [
        ([(HARD, 0)], False),
        ([(HARD, 0), (HARD, 1)], True),
        ([(HARD, 0), (HARD, 8)], False),
        ([(HARD, 0), (HARD, 8), (HARD, 9)], True),
        ([(SOFT, 0), (SOFT, 1), (SOFT, 2)], False),
        ([(SOFT, 0), (SOFT, 1), (SOFT, 2), (SOFT, 3)], True),
        ([(SOFT, 0), (SOFT, 8), (SOFT, 16), (SOFT, 24), (SOFT, 32)], False),
        ([(points_for(Code.POLICY), day) for day in range(9)], False),
    ],
)
def test_enough_bounces_in_a_short_time_pause_an_address(
    anna: Player, bounces: list[tuple[int, float]], paused: bool
) -> None:
    address = anna.addresses.get()
    for points, day in bounces:
        address.add_bounce(points, after(days=day))
    address.refresh_from_db()
    assert (address.paused_at is not None) == paused


def test_the_pause_begins_once(anna: Player) -> None:
    address = anna.addresses.get()
    for hour in range(4):
        address.add_bounce(HARD, after(hours=hour))
    assert address.paused_at == after(hours=1)
    address.forget_bounces()
    assert (address.paused_at, address.score_at(after(hours=4))) == (None, 0)


def test_letters_go_to_an_address_that_works(anna: Player) -> None:
    second = Address.objects.create(player=anna, email="due@example.org", verified_at=after(days=1))
    Address.objects.create(player=anna, email="tre@example.org")
    first = anna.addresses.get(email="anna@example.org")
    first.add_bounce(4, after(days=2))
    assert anna.email == "due@example.org"
    assert list(Player.objects.reachable()) == [anna]
    assert not Player.objects.unreachable().exists()
    second.add_bounce(4, after(days=3))
    assert anna.email == "anna@example.org"
    assert list(Player.objects.unreachable()) == [anna]
    assert not Player.objects.reachable().exists()


def test_whoever_has_not_answered_yet_is_not_called_unreachable(anna: Player) -> None:
    Address.objects.update(verified_at=None)
    assert not Player.objects.unreachable().exists()
