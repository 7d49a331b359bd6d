"""Contests with players who get no letters, played without moves."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from random import Random

import pytest

from games.protocol import Outcome, Side
from pbem.competitions.entries import enter
from pbem.competitions.models import Competition
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tasks import begin_and_end
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
from pbem.players.models import Player
from tests.mail_fixtures import MORNING

Decide = Callable[[Match], int | None]


def people(count: int, first: int = 1) -> list[Player]:
    names = (f"Player{number:02}" for number in range(first, first + count))
    return [Player.objects.create(name=name) for name in names]


def opened(
    system: str, players: Iterable[Player] = (), *, begins: datetime | None = MORNING, **settings
) -> Competition:
    chosen = SYSTEMS[system](**settings)
    contest = Competition.objects.create(
        name=f"Cup of {system}", system=system, game_name="loa", settings=chosen.kept(), begins_at=begins
    )
    for player in players:
        enter(contest, player, now=MORNING)
    return contest


def swept(now: datetime = MORNING) -> datetime:
    begin_and_end(now=now, rng=Random(1))
    return now


def end(match: Match, winner: int | None, now: datetime = MORNING, reason: str = "resigned") -> None:
    finish(match, Outcome(None if winner is None else Side(winner), reason), now=now, side=None)


def higher_wins(match: Match) -> int:
    """Who signed up first."""
    first, second = match.seated
    return int(first.player_id > second.player_id)


def play_on(decide: Decide = higher_wins, now: datetime = MORNING, rounds: int = 40) -> datetime:
    """Until nothing goes on any more; a sweep a day."""
    for _ in range(rounds):
        going_on = list(Match.objects.filter(status=Match.Status.PLAYING).order_by("pk"))
        for match in going_on:
            end(match, decide(match), now)
        now += timedelta(days=1)
        swept(now)
        if not going_on:
            break
    return now


def players_of(matches: Iterable[Match]) -> list[set[str]]:
    return [{seat.player.name for seat in match.seated} for match in matches]


@pytest.fixture(autouse=True)
def _rows(db: None) -> None:
    """All of these need tables."""
