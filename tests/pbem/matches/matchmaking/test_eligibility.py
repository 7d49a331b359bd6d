"""Who may challenge whom: refusals, and limits that are reached."""

from random import Random

import pytest

from pbem.matches.matchmaking.eligibility import may_challenge
from pbem.matches.services import propose, resign, start
from pbem.players.blocks import limit, refuse
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> Player:
    return register(name="Alice", email="alice@example.org", language="en", now=MORNING)


@pytest.fixture
def bruno() -> Player:
    return register(name="Bruno", email="bruno@example.org", language="it", now=MORNING)


def test_a_refusal_and_a_reached_limit_are_told_in_the_same_words(alice: Player, bruno: Player) -> None:
    refuse(bruno, alice, game="loa", now=MORNING)
    limit(bruno, "zertz", 0)
    said = set()
    for game in ("loa", "zertz:blitz"):
        with pytest.raises(Refused) as refused:
            propose(challenger=alice, opponent=bruno, game=game, now=MORNING, rng=Random(1))
        said.add((refused.value.code, *refused.value.facts.values()))
    assert said == {(Code.NOT_NOW, "Bruno")}
    assert may_challenge(alice, bruno, "gemma", MORNING)


def test_a_limit_counts_what_is_being_played(alice: Player, bruno: Player) -> None:
    limit(bruno, "loa", 1)
    assert may_challenge(alice, bruno, "loa", MORNING)
    match = start(first=alice, second=bruno, game="loa:scrambled", now=MORNING, rng=Random(1))
    assert not may_challenge(alice, bruno, "loa", MORNING)
    assert may_challenge(alice, bruno, "zertz", MORNING)
    limit(bruno, "", 1)
    assert not may_challenge(alice, bruno, "zertz", MORNING)
    limit(bruno, "", None)
    assert may_challenge(alice, bruno, "zertz", MORNING)
    resign(match.seated[0], now=MORNING)
    assert may_challenge(alice, bruno, "loa", MORNING)
