"""Tournaments and the verbs of a match in a real browser: by keyboard, wide and at 390 pixels."""

from random import Random

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.matches.models import Match, Tournament
from pbem.matches.services import resign
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.players.services import register
from tests.mail_fixtures import MORNING
from tests.pbem.admin.test_browser import desk_page, visit

pytestmark = [pytest.mark.browser, pytest.mark.prove]
__all__ = ["desk_page"]


@pytest.fixture
def robin(alice: Player, bruno: Player) -> Tournament:
    """Eight players, of whom some have played; one round is still to come."""
    names = ("Dora", "Emil", "Federica", "Gianluca", "Hanna", "Ivo")
    more = [register(name=n, email=f"{n.lower()}@example.org", language="en", now=MORNING) for n in names]
    terms = Terms(clock="10d+36h<=10d", absence=False)
    system = "single"
    tournament = open_tournament("Autumn cup", game="loa", system=system, terms=terms, now=MORNING)
    begin_round_robin(tournament, [alice, bruno, *more], at_once=True, now=MORNING, rng=Random(1))
    for number, match in enumerate(tournament.matches.order_by("pk")[:20]):
        resign(match.seated[number % 2], now=MORNING)
    Match.objects.filter(tournament=tournament, round=7).delete()
    Tournament.objects.update(begun=6)
    return Tournament.objects.get()


def test_nothing_of_a_tournament_hangs_over_the_edge(
    desk_page: Page, live_server: LiveServer, robin: Tournament, match: Match
) -> None:
    for where in (
        "contests/competition/",
        "contests/competition/add/?kind=pairings&game=loa",
        f"matches/tournament/{robin.pk}/change/",
        f"matches/match/{match.pk}/press/roll-back/",
    ):
        visit(desk_page, live_server, where)


def test_a_round_robin_is_begun_by_keyboard_alone(
    desk_page: Page, live_server: LiveServer, alice: Player, bruno: Player
) -> None:
    visit(desk_page, live_server, "contests/competition/add/?kind=single&game=loa")
    desk_page.focus("#id_name")
    desk_page.keyboard.type("Spring cup")
    desk_page.keyboard.press("Tab")
    desk_page.keyboard.type("Alice, Bruno")
    for _page in ("the form", "what will follow"):
        for _field in range(60):  # to the button at the end
            desk_page.keyboard.press("Tab")
            if desk_page.evaluate("document.activeElement.className") == "desk-first":
                break
        with desk_page.expect_navigation():
            desk_page.keyboard.press("Enter")
    desk_page.locator("[role=status] li").wait_for()
    assert Tournament.objects.get().matches.get().status == "playing"


def test_a_move_is_entered_in_the_browser(desk_page: Page, live_server: LiveServer, match: Match) -> None:
    visit(desk_page, live_server, f"matches/match/{match.pk}/change/")
    desk_page.click("a[href$='/press/enter/']")
    desk_page.fill("#id_move", "b3-e3")
    desk_page.fill("#id_reason", "By telephone.")
    desk_page.click("button.desk-first")
    desk_page.locator("[role=status] li").wait_for()
    assert match.turns.get(ply=4).entered
