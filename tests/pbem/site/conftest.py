"""Players of each step, and their matches of Lines of Action."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from time_machine import travel

from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.players.services import register

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(days=100)
MOVES = ("b1-b3", "a2-c2", "b8-b6", "h7-f7", "d8-d6", "a4-c4")
Site = Player.Site


@pytest.fixture(autouse=True)
def later(db: None):
    with travel(LATER, tick=False):
        yield


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Nothing that another test has seen is kept."""
    cache.clear()


@pytest.fixture
def browser() -> Client:
    return Client(headers={"accept-language": "en"})


def player(name: str, site: Player.Site) -> Player:
    made = register(name=name, email=f"{name}@example.org", language="en", now=NOON)
    made.site, made.site_asked_at = site, NOON
    made.save()
    return made


def match(first: Player, second: Player, *, over: bool = True, game: str = "loa", **terms: Any) -> Match:
    begun = start(first=first, second=second, game=game, terms=Terms(**terms), now=NOON, rng=Random(1))
    for number, move in enumerate(MOVES):
        assert begun.moving
        play(begun.moving, move, now=NOON + timedelta(hours=number), message="SECRET words")
    if over:
        resign(Match.objects.get(pk=begun.pk).seated[0], now=NOON + timedelta(days=1))
    return Match.objects.get(pk=begun.pk)


@pytest.fixture
def alice() -> Player:
    return player("Alice", Site.NAMED)


@pytest.fixture
def bruno() -> Player:
    return player("Bruno", Site.INDEXED)


@pytest.fixture
def carla() -> Player:
    return player("Carla", Site.UNNAMED)


@pytest.fixture
def dora() -> Player:
    return player("Dora", Site.NO)
