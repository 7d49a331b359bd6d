"""A board in chromium: by mouse, by keyboard alone, without script, on a desk and a telephone; and no violation."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from pbem.matches.models import Match, Turn
from pbem.matches.services import play, start
from pbem.outbox.models import OutboundMail
from pbem.players.services import register
from pbem.site import browsers
from tests.pbem.admin.test_accessibility import violations
from tests.pbem.site.boards import known, moving, path_of

pytestmark = [pytest.mark.browser, pytest.mark.prove]


@pytest.fixture(autouse=True)
def later() -> None:
    """The clock of the browser is the clock of the machine."""


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest):
    """Without script."""
    context = chromium.new_context(
        viewport={"width": request.param, "height": 844}, java_script_enabled=False
    )
    yield context.new_page()
    context.close()


def begun(game: str = "loa", turns: int = 0) -> Match:
    now = timezone.now()
    people = [
        register(name=name, email=f"{name}@example.org", language="en", now=now) for name in ("Anna", "Berto")
    ]
    match = start(first=people[0], second=people[1], game=game, now=now, rng=Random(3))
    rng = Random(game)
    for _ in range(turns):
        fresh = Match.objects.get(pk=match.pk)
        if fresh.moving is None or fresh.status != "playing":
            break
        position = fresh.current()
        play(
            fresh.moving,
            fresh.game.write(position, position.sample(rng), fresh.moving.player.notation),
            now=now,
        )
    return Match.objects.get(pk=match.pk)


def know(page: Page, match: Match, live_server: LiveServer) -> None:
    secret = known(moving(match).player, timezone.now()).cookies[browsers.COOKIE].value
    page.context.add_cookies([{"name": browsers.COOKIE, "value": secret, "url": live_server.url}])


@pytest.mark.parametrize("page", [1280, 390], indirect=True)
def test_a_move_by_the_mouse_waits_for_the_code(page: Page, live_server: LiveServer) -> None:
    match = begun()
    page.goto(live_server.url + path_of(moving(match)))
    page.get_by_role("link", name=re.compile("^b1: ")).click()
    page.get_by_role("link", name=re.compile("^b3")).click()
    page.get_by_role("button", name="Play b1-b3", exact=True).click()
    code = OutboundMail.objects.get(kind="sign_in").sections[0]["letters"]
    page.get_by_label("The six letters").fill(code.lower())
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("status")).to_have_text("Your move is played.")
    assert Turn.objects.get().move == "b1-b3"
    kept = {each["name"]: each for each in page.context.cookies()}
    assert (kept[browsers.COOKIE]["httpOnly"], kept[browsers.COOKIE]["sameSite"]) == (True, "Lax")


@pytest.mark.parametrize("page", [1280, 390], indirect=True)
def test_a_move_by_the_keyboard_alone(page: Page, live_server: LiveServer) -> None:
    match = begun("zertz")
    know(page, match, live_server)
    page.goto(live_server.url + path_of(moving(match)))
    for wanted in ("White", "d4", "a1", "Play Wd4,a1"):
        for _ in range(80):
            page.keyboard.press("Tab")
            focus = page.locator(":focus")
            if (focus.get_attribute("aria-label") or focus.inner_text()).startswith(wanted):
                break
        with page.expect_navigation():
            page.keyboard.press("Enter")
    assert Turn.objects.get().move == "Wd4,a1"


@pytest.mark.parametrize("page", [390], indirect=True)
def test_the_address_of_a_board_is_sent_nowhere(page: Page, live_server: LiveServer) -> None:
    match = begun()
    know(page, match, live_server)
    said: list[str] = []
    page.on("request", lambda request: said.append(request.headers.get("referer", "")))
    page.goto(live_server.url + path_of(moving(match)))
    page.get_by_role("link", name=re.compile("^b1: ")).click()
    page.get_by_role("link", name=re.compile("^b3")).click()
    page.get_by_role("button", name="Play b1-b3", exact=True).click()
    assert Turn.objects.exists()
    assert {each.removeprefix(live_server.url) for each in said} <= {"", "/"}


SMALL = """() => [...document.querySelectorAll(".button, button, .step, input:not([type=hidden]), select, summary")]
    .map(each => [each.outerHTML.slice(0, 120), Math.round(each.getBoundingClientRect().height)])
    .filter(([html, height]) => height > 0 && height < 40)"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["zertz", "loa", "trapdoor"])
def test_axe_finds_nothing(
    chromium: Browser, live_server: LiveServer, game: str, scheme: str, width: int
) -> None:
    match = begun(game, 4)
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    link = live_server.url + path_of(moving(match))
    page.goto(link)
    first = page.locator(".clicks a").first.get_attribute("href") or ""
    stale = live_server.url + path_of(moving(match), 2)
    for number, path in enumerate((link, stale, link, link + first, f"{link}?ask=resign", f"{link}?w=x")):
        if number == 2:
            know(page, match, live_server)
        page.goto(path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(SMALL) == []
    assert said == []
    context.close()
