"""axe-core finds nothing on the desk's own pages: names of controls, contrast, headings, tables, landmarks."""

from collections.abc import Sequence
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from pbem.competitions.entries import enter
from pbem.competitions.models import Competition
from pbem.competitions.rounds import begin_edition
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Tournament
from pbem.matches.services import resign
from pbem.matches.terms import Terms
from pbem.players.blocks import refuse
from pbem.players.models import Player
from tests.pbem.admin.conftest import NOON
from tests.pbem.admin.test_browser import desk_page

axe = pytest.importorskip("axe_playwright_python", reason="requirements-dev.txt has it")
pytestmark = [pytest.mark.browser, pytest.mark.prove]
__all__ = ["desk_page"]
FOUND = """() => axe.run().then(found => found.violations.map(
    each => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 200), each.nodes[0].failureSummary]))"""


@pytest.fixture
def cup(alice: Player, bruno: Player) -> Tournament:
    cup = open_tournament("Coppa", game="loa", system="single", terms=Terms(clock="3d/move"), now=NOON)
    begin_round_robin(cup, [alice, bruno], at_once=True, now=NOON, rng=Random(1))
    for match in cup.matches.all():
        resign(match.seated[0], now=NOON)
    return cup


def violations(page: Page) -> list[Any]:
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found: list[Any] = page.evaluate(FOUND)
    return found


def test_the_pages_of_the_desk(
    desk_page: Page,
    live_server: LiveServer,
    match: Match,
    cup: Tournament,
    alice: Player,
    refused_letter: InboundMail,
) -> None:
    entries = open_tournament("Primavera", game="zertz", system="single", now=NOON)
    here = f"matches/tournament/{cup.pk}"
    pages = [
        "",
        "matches/match/",
        f"matches/match/{match.pk}/change/",
        f"matches/match/{match.pk}/press/enter/",
        f"matches/match/{match.pk}/press/commentary/",
        "contests/competition/add/?kind=open&game=loa",
        f"{here}/change/",
        f"{here}/press/announce/",
        f"{here}/press/bulletin/",
        f"matches/tournament/{entries.pk}/change/",
        f"matches/tournament/{entries.pk}/press/invite/",
        f"players/player/{alice.pk}/change/",
        "players/player/invite/",
        "players/player/invited/",
        f"inbox/inboundmail/{refused_letter.pk}/change/",
    ]
    assert wrong_on(pages, desk_page, live_server) == {}


def wrong_on(pages: Sequence[str], page: Page, live_server: LiveServer) -> dict[str, list[Any]]:
    found = {}
    for where in pages:
        page.goto(f"{live_server.url}/admin/{where}")
        if wrong := violations(page):
            found[where] = wrong
    return found


def test_the_pages_of_contests(
    desk_page: Page, live_server: LiveServer, alice: Player, bruno: Player
) -> None:
    entries, going = (
        Competition.objects.create(name=name, system=Competition.System.ROUND_ROBIN, game_name="loa")
        for name in ("Primavera", "Coppa")
    )
    for contest in (entries, going):
        enter(contest, alice, now=NOON)
        enter(contest, bruno, now=NOON)
    begin_edition(going, now=NOON, rng=Random(1))
    refuse(alice, bruno, blocked=True, now=NOON)
    pages = [
        "contests/competition/",
        "contests/competition/add/",
        "contests/competition/add/?kind=league&game=zertz",
        f"contests/competition/{entries.pk}/change/",
        *(
            f"contests/competition/{entries.pk}/press/{verb}/"
            for verb in ("enter", "first-day", "begin", "take-off")
        ),
        f"contests/competition/{going.pk}/change/",
        *(f"contests/competition/{going.pk}/press/{verb}/" for verb in ("withdraw", "close")),
    ]
    assert wrong_on(pages, desk_page, live_server) == {}
