"""Robots whose worker is the test itself: what is due is thought about when it says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from games.engine import child
from games.protocol import Notation
from pbem.matches.models import Match
from pbem.matches.services import propose
from pbem.players.models import Player
from pbem.robots import services
from pbem.robots.engine import EngineMove
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import Begin

Thinks = Callable[[], int]


def in_process(asked: Mapping[str, Any]) -> EngineMove:
    """As a process of its own would answer, without its start."""
    told = child.answer(asked)
    return EngineMove(told["move"], told["score"], 0.5, told["depth"], told["nodes"])


def any_move(match: Match, language: str = "en") -> str:
    """A legal one of the player who is to move, as a player writes it."""
    match.refresh_from_db()
    position = match.current()
    move = position.sample(Random(str(position)))
    return str(match.game.write(position, move, Notation(language)))


@pytest.fixture
def thinks(post: Post) -> Thinks:
    """Every think that is due; how many there were. Their letters are sent."""

    def think() -> int:
        done = 0
        while due := list(services.due(now=post.now)):
            done += sum(services.think(pk, now=post.now, ask=in_process) for pk in due)
        post.send()
        return done

    return think


@pytest.fixture
def against(alice: Correspondent) -> Begin:
    """A match of Alice, who moves first unless it says otherwise, against Robot-1."""

    def begin(game: str = "loa", *options: str, level: int = 1) -> Match:
        robot, now = Player.objects.get(robot=level), alice.post.now
        said = options or ("first",)
        match = propose(
            challenger=alice.player, opponent=robot, game=game, options=said, now=now, rng=Random(game)
        )
        alice.post.live()
        alice.post.send()
        alice.reads()
        return match

    return begin
