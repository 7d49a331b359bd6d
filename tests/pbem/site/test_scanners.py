"""A scanner opens every link of every letter, and presses every button of its boards: nothing changes."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.core.serializers import serialize
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from pbem.matches.models import ConditionalLine, Event, Match, Offer, Seat, Turn
from pbem.matches.services import offer_draw, play, start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.site.models import Browser as Known
from tests.mail_fixtures import Post, registered
from tests.pbem.site.boards import moving

pytestmark = [pytest.mark.browser, pytest.mark.prove]
GAMES = ("loa", "zertz", "gipf", "trapdoor")
WATCHED = (Match, Seat, Turn, Player, Known, Event, Offer, ConditionalLine)


@pytest.fixture(autouse=True)
def later() -> None:
    """The clock of the browser is the clock of the machine."""


def rows() -> list[str]:
    return [serialize("json", model._default_manager.order_by("pk")) for model in WATCHED]


def season(post: Post) -> set[str]:
    """Plays some moves of each game, with a draw offered; returns every link of every letter, as a path."""
    post.now = timezone.now()
    people = [registered(post, name, language) for name, language in (("Anna", "en"), ("Berto", "it"))]
    rng = Random(5)
    for game in GAMES:
        match = start(first=people[0].player, second=people[1].player, game=game, now=post.now, rng=rng)
        for _ in range(5):
            seat = moving(match)
            position = seat.match.current()
            written = seat.match.game.write(position, position.sample(rng), seat.player.notation)
            play(seat, written, now=post.now)
            post.send()
        offer_draw(moving(match).opponent, now=post.now)
        post.send()
    letters = [letter for each in people for letter in each.letters]
    return {
        path
        for letter in letters
        for path in re.findall(r"http://127.0.0.1:8000(/[^\s\"<]*)", letter.text + letter.html)
    }


def test_nothing_is_changed_by_scanners(chromium: Browser, live_server: LiveServer, post: Post) -> None:
    paths = season(post)
    boards = sorted(path for path in paths if path.startswith("/b/"))
    assert len(boards) >= len(GAMES) * 5
    before = rows()
    client = Client()
    for path in paths:
        for ask in (client.get, client.head):
            assert ask(path).status_code in (200, 302), path
    context = chromium.new_context()
    page = context.new_page()
    pressed = 0
    for path in boards:
        page.goto(live_server.url + path)
        for _ in range(8):  # a whole move, so that its button is there too
            following = page.locator(".clicks svg a, .words a")
            if page.locator("input[name=deed][value=play]").count() or not following.count():
                break
            page.goto(live_server.url + path.split("?")[0] + (following.last.get_attribute("href") or ""))
        here = page.url
        for number in range(page.locator("button").count()):
            page.goto(here)
            page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
            with page.expect_navigation():
                page.locator("button").nth(number).click(no_wait_after=True)
            pressed += 1
            if page.url.endswith("/code/"):
                page.get_by_role("textbox").fill("BCDFGH")
                with page.expect_navigation():
                    page.get_by_role("button").first.click()
    context.close()
    assert pressed >= 3 * len(GAMES)
    assert rows() == before
    codes = OutboundMail.objects.filter(kind="sign_in")
    assert 0 < codes.count() <= 10, "five for each of two mailboxes"
