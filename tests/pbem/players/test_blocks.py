"""Blocks: which challenges and words reach a player, and limits on their number."""

import pytest

from pbem.players import blocks
from pbem.players.blocks import allow, may_write_to, refuse, refuses
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return register(name="Anna", email="anna@example.org", language="it", now=MORNING)


@pytest.fixture
def carlo() -> Player:
    return register(name="Carlo", email="carlo@example.org", language="it", now=MORNING)


def test_nobody_is_refused_who_was_not_named(anna: Player, carlo: Player) -> None:
    refuse(anna, carlo, now=MORNING)
    assert refuses(anna, carlo, "zertz")
    assert not refuses(carlo, anna, "zertz")


def test_one_game_may_be_refused_alone(anna: Player, carlo: Player) -> None:
    refuse(anna, carlo, game="zertz", now=MORNING)
    assert refuses(anna, carlo, "zertz")
    assert not refuses(anna, carlo, "loa")


def test_whoever_is_refused_may_still_write_and_whoever_is_blocked_may_not(
    anna: Player, carlo: Player
) -> None:
    refuse(anna, carlo, now=MORNING)
    assert may_write_to(carlo, anna)
    refuse(anna, carlo, blocked=True, now=MORNING)
    assert not may_write_to(carlo, anna)
    assert may_write_to(anna, carlo)
    assert refuses(anna, carlo, "loa")


def test_to_allow_takes_everything_back(anna: Player, carlo: Player) -> None:
    refuse(anna, carlo, game="zertz", now=MORNING)
    refuse(anna, carlo, blocked=True, now=MORNING)
    allow(anna, carlo)
    assert may_write_to(carlo, anna)
    assert not refuses(anna, carlo, "zertz")


def test_nobody_refuses_himself(anna: Player) -> None:
    with pytest.raises(Refused, match="against_yourself"):
        refuse(anna, anna, now=MORNING)


def test_there_is_an_end_to_refusing(anna: Player, carlo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_REFUSED", 0)
    with pytest.raises(Refused, match="too_many_refused"):
        refuse(anna, carlo, now=MORNING)
