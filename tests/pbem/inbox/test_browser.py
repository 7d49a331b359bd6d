"""The page of one's letters in a real browser, wide and narrow, in both languages."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent
from tests.pbem.inbox.test_views import page_of

pytestmark = [pytest.mark.browser, pytest.mark.prove]


def shot(page: Page, name: str) -> None:
    if shots := os.environ.get("SHOTS"):
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=Path(shots) / f"{name}{width}.png", full_page=True)


@pytest.mark.parametrize("name", ["Alice", "Bruno"])
def test_the_tick_of_the_sort_in_question_is_off_and_saving_is_one_press(
    page: Page, live_server: LiveServer, loa: Match, alice: Correspondent, bruno: Correspondent, name: str
) -> None:
    who = {"Alice": alice, "Bruno": bruno}[name]
    page.goto(live_server.url + page_of(who.letter))
    shot(page, f"letters-{name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")
    ticks = page.get_by_role("checkbox")
    assert [ticks.nth(number).is_checked() for number in range(5)] == [False, True, True, True, True]
    assert who.player.turns
    page.get_by_role("button").first.click()
    page.get_by_role("status").wait_for()
    shot(page, f"letters-{name}-saved")
    assert not who.player.turns
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")
    assert page.context.cookies() == []
