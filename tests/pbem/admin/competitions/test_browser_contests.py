"""Contests in a real browser: nothing hangs over the edge, wide and at 390 pixels."""

from random import Random

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from pbem.competitions.entries import enter
from pbem.competitions.models import Competition
from pbem.competitions.rounds import begin_edition
from pbem.competitions.systems.round_robin import Groups
from pbem.matches.models import Match
from pbem.matches.services import resign
from pbem.players.blocks import refuse
from pbem.players.models import Player
from pbem.players.services import register
from tests.mail_fixtures import MORNING
from tests.pbem.admin.test_browser import desk_page, visit

pytestmark = [pytest.mark.browser, pytest.mark.prove]
__all__ = ["desk_page"]
NAMES = ("Dora", "Emil", "Federica", "Gianluca", "Hanna", "Ivo")


def opened(name: str, players: list[Player]) -> Competition:
    contest = Competition.objects.create(
        name=name,
        system="groups",
        game_name="zertz",
        settings=Groups(size=4, advance=1).kept(),
        created_at=MORNING,
    )
    for player in players:
        enter(contest, player, now=MORNING)
    return contest


def test_nothing_of_a_contest_hangs_over_the_edge(
    desk_page: Page, live_server: LiveServer, alice: Player, bruno: Player
) -> None:
    more = [register(name=n, email=f"{n.lower()}@example.org", language="en", now=MORNING) for n in NAMES]
    waiting = opened("Coppa di primavera", [alice, bruno, *more])
    cup = opened("Coppa d'autunno", [alice, bruno, *more])
    begin_edition(cup, now=MORNING, rng=Random(1))
    for match in Match.objects.order_by("pk")[:7]:
        resign(match.seated[match.pk % 2], now=MORNING)
    refuse(alice, bruno, blocked=True, now=MORNING)
    for where in (
        "contests/competition/",
        "contests/competition/add/",
        "contests/competition/add/?kind=groups&game=zertz",
        f"contests/competition/{cup.pk}/change/",
        f"contests/competition/{cup.pk}/press/withdraw/",
        f"contests/competition/{waiting.pk}/change/",
        f"contests/competition/{waiting.pk}/press/begin/",
        f"contests/competition/{waiting.pk}/press/groups/",
        f"contests/competition/{waiting.pk}/press/take-off/",
    ):
        visit(desk_page, live_server, where)
