"""Public pages in a browser: axe finds nothing, targets are large enough, the replay runs with and without script."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from pbem.bulletin.models import Bulletin
from pbem.competitions.models import Competition
from pbem.matches.models import Match
from pbem.players.models import Player
from tests.pbem.admin.test_accessibility import violations
from tests.pbem.competitions.played import opened, swept
from tests.pbem.site.conftest import match
from tests.pbem.site.test_account import code_of
from tests.pbem.site.test_privacy import told_in_a_bulletin

pytestmark = [pytest.mark.browser, pytest.mark.prove]
SMALL = """() => [...document.querySelectorAll(
    ".top a, .foot nav a, .button, button, .steps a, .score a, .card, td a, .names a, input, select, summary")]
    .map(each => [each.outerHTML.slice(0, 120), Math.round(each.getBoundingClientRect().height)])
    .filter(([html, height]) => height > 0 && height < 40)"""


@pytest.fixture(autouse=True)
def later() -> None:
    """The clock of the browser is the clock of the machine."""


@pytest.fixture
def shown(alice, bruno, carla, live_server: LiveServer) -> Match:
    found = match(alice, bruno, rated=True)
    match(bruno, alice, rated=True)
    match(carla, alice)
    match(alice, bruno, over=False)
    opened("round_robin", [alice, bruno, carla])
    opened("knockout", [alice, bruno, carla])
    swept()
    told_in_a_bulletin([alice, bruno, carla])
    Competition.objects.update(public=True)
    return found


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("it", "dark")])
def test_axe_finds_nothing_on_any_page(
    page: Page, live_server: LiveServer, shown: Match, language: str, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    paths = [
        *(
            "",
            "games/",
            "games/zertz/",
            "guide/",
            "api/",
            "privacy/",
            "matches/",
            "matches/?player=nobody",
            "playing/",
            "players/",
        ),
        *("players/Alice/", "ratings/", "ratings/loa/", "offers/", "search?q=al", "competitions/"),
        *(
            *(f"competitions/{each.pk}/" for each in Competition.objects.all()),
            *(
                f"competitions/{each.tournament.competition_id}/bulletins/{each.pk}/"
                for each in Bulletin.objects.all()
            ),
            f"matches/{shown.pk}/",
            f"matches/{shown.pk}/2/",
            f"matches/{shown.pk}/2/?line=b8.b6",
            f"embed/{shown.pk}/2/",
        ),
    ]
    wrong = {}
    width = page.viewport_size["width"] if page.viewport_size else 0
    for path in paths:
        page.goto(f"{live_server}/{language}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        if found := [*violations(page), *page.evaluate(SMALL)]:
            wrong[path] = found
    page.goto(f"{live_server}/{language}/nothing/")
    assert violations(page) == []
    assert wrong == {}
    assert [text for text in said if "404" not in text] == []


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("it", "dark")])
def test_a_player_signs_in_and_axe_finds_nothing_on_their_pages(
    chromium: Browser, live_server: LiveServer, shown: Match, alice: Player, language: str, scheme: str
) -> None:
    Player.objects.filter(pk=alice.pk).update(language=language)
    for width in (390, 1280):
        context = chromium.new_context(
            viewport={"width": width, "height": 844},
            locale=language,
            color_scheme=scheme,
        )
        page = context.new_page()
        page.goto(f"{live_server}/me/")
        _looks_well(page)
        page.locator("input[type=email]").fill(alice.email)
        page.locator("main button").click()
        _looks_well(page)
        page.locator("input[name=code]").fill(code_of(alice))
        page.locator("main button").click()
        assert page.url == f"{live_server}/me/"
        _looks_well(page)
        page.locator("a[href='/me/settings/']").click()
        page.locator("[name=zone]").fill("Nowhere")
        page.locator("main button").click()
        _looks_well(page)
        page.goto(f"{live_server}/me/browsers/")
        _looks_well(page)
        page.locator("button[value=calendar]").click()
        _looks_well(page)
        context.close()


def _looks_well(page: Page) -> None:
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    assert violations(page) == [], page.url
    assert page.evaluate(SMALL) == [], page.url


def test_the_front_page_asks_for_four_files(page: Page, live_server: LiveServer, shown: Match) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{live_server}/en/")
    page.mouse.wheel(0, 20_000)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(
        "[...document.images].every(each => (each.loading = 'eager', each.decode(), each.naturalWidth > 0))"
    )
    assert len(asked) <= 4, asked


def test_the_replay_moves_by_slider_and_keys(page: Page, live_server: LiveServer, shown: Match) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{live_server}/en/matches/{shown.pk}/")
    board = page.locator(".board")
    last = board.get_attribute("src")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".said")).to_have_text("3. d8-d6")
    assert board.get_attribute("src") != last
    assert page.url.endswith(f"/en/matches/{shown.pk}/5/")
    page.keyboard.press("Home")
    expect(page.locator(".score [aria-current]")).to_have_text("The start")
    page.locator("input[type=range]").fill("2")
    expect(page.locator(".said")).to_have_text("1... a2-c2")
    page.locator(".steps [data-to=next]").click()
    expect(page.locator(".said")).to_have_text("2. b8-b6")
    page.locator(".score a").last.click()
    assert board.get_attribute("src") == last
    assert said == []


def test_the_replay_needs_no_script(chromium: Browser, live_server: LiveServer, shown: Match) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server}/en/matches/{shown.pk}/3/")
    page.locator(".steps [data-to=previous]").click()
    expect(page.locator(".said")).to_have_text("1... a2-c2")
    page.locator(".score a").nth(4).click()
    expect(page.locator(".said")).to_have_text("2... h7-f7")
    assert re.search(r"/4/$", page.url)
    context.close()


def test_days_are_those_of_the_visitor(chromium: Browser, live_server: LiveServer, shown: Match) -> None:
    Match.objects.filter(pk=shown.pk).update(ended_at=datetime(2026, 3, 31, 22, 30, tzinfo=UTC))
    for language, zone, said in (
        ("en-GB", "Asia/Tokyo", "1 April 2026"),
        ("en-US", "America/New_York", "March 31, 2026"),
        ("it-IT", "Europe/Rome", "1 aprile 2026"),
    ):
        context = chromium.new_context(timezone_id=zone, locale=language)
        page = context.new_page()
        page.goto(f"{live_server}/{language[:2]}/matches/{shown.pk}/")
        expect(page.locator("time")).to_have_text(said)
        context.close()
