"""The standing cast: Alice writes English, Bruno Italian, and Charlie must see nothing."""

from collections.abc import Callable
from random import Random

import pytest
from pytest_django import Settings

from pbem.matches.models import Match
from pbem.matches.services import start
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Post, registered

Begin = Callable[..., Match]


def moves(match: Match) -> list[str]:
    """Those that stand, from the first."""
    return [turn.move for turn in match.live_turns()]


@pytest.fixture
def post(db: None, settings: Settings) -> Post:
    """The service behind its door. Our own mail server, whose findings are believed, is AUTHSERV_ID."""
    settings.AUTHSERV_IDS = [AUTHSERV_ID]
    return Post()


@pytest.fixture(params=["pass", "none"])
def dmarc(request: pytest.FixtureRequest, settings: Settings) -> str:
    """What our own mail server finds; or nothing says who wrote."""
    if request.param == "none":
        settings.AUTHSERV_IDS = []
    return str(request.param)


@pytest.fixture
def alice(post: Post) -> Correspondent:
    return registered(post, "Alice", "en")


@pytest.fixture
def bruno(post: Post) -> Correspondent:
    return registered(post, "Bruno", "it", "Il giorno 4 maggio 2026 PBeM ha scritto:")


@pytest.fixture
def charlie(post: Post) -> Correspondent:
    return registered(post, "Charlie", "en")


@pytest.fixture
def stranger(post: Post) -> Correspondent:
    """Somebody who has not signed up."""
    return Correspondent(post, "Dora", "dora@example.org")


@pytest.fixture
def begin(alice: Correspondent, bruno: Correspondent, begin_by_letter: Begin) -> Begin:
    """A match in which Alice plays first, both having their first letter. One with terms is agreed on by letter."""

    def begin(game: str = "zertz") -> Match:
        if " " in game:
            return begin_by_letter(game)
        post = alice.post
        start(first=alice.player, second=bruno.player, game=game, now=post.now, rng=Random(game))
        post.live()
        post.send()
        alice.reads()
        bruno.reads()
        return Match.objects.latest("pk")

    return begin


@pytest.fixture
def begin_by_letter(alice: Correspondent, bruno: Correspondent) -> Begin:
    """A match that Alice has begun with a challenge; it has the clock that is asked for, or none."""

    def begin(game: str = "zertz") -> Match:
        name, _, terms = game.partition(" ")
        alice.writes(f"CHALLENGE Bruno {name} no-clock {terms} first")
        bruno.answers(bruno.letter, "SÌ")
        alice.reads()
        bruno.reads()
        return Match.objects.latest("pk")

    return begin


@pytest.fixture
def zertz(begin: Begin) -> Match:
    return begin()


@pytest.fixture
def loa(begin: Begin) -> Match:
    return begin("loa")
