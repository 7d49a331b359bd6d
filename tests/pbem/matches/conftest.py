"""Matches between Alice, who moves first, and Bruno, without any letter."""

from collections.abc import Callable
from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import start
from tests.mail_fixtures import MORNING, Correspondent

Begin = Callable[..., Match]


@pytest.fixture
def begin(alice: Correspondent, bruno: Correspondent) -> Begin:
    def begin(game: str = "loa", setup: str | None = None) -> Match:
        return start(
            first=alice.player, second=bruno.player, game=game, setup=setup, now=MORNING, rng=Random(1)
        )

    return begin
