"""Two newcomers with nothing but the page of letters, on a telephone without JavaScript: from signing up to a move."""

from __future__ import annotations

import os
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page

from pbem.demo.play import Correspondent
from pbem.matches.models import Match
from tests.journeys.conftest import House
from tests.processes import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.prove]
SHOTS = os.environ.get("SHOTS")
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
IS_TALL = (
    "Math.abs(letter.clientHeight - letter.contentDocument?.body?.offsetHeight) < 4"  # NaN until it is loaded
)


class MailProgram:
    """The page of letters under somebody's fingers."""

    def __init__(self, house: House, page: Page) -> None:
        self.page, self.folder = page, house.folder / "letters"
        self.home = "http://{}:{}/letters/".format(*house.web)

    @property
    def kind(self) -> str:
        """Of the letter that is shown."""
        name = self.page.url.partition("?")[0].rstrip("/").rpartition("/")[2]
        raw = (self.folder / f"{name}.eml").read_bytes()
        return str(message_from_bytes(raw, policy=policy.default)["X-PBeM-Letter"])

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def signs_up(self, name: str, line: str, yes: str) -> None:
        self.page.goto(self.home)
        self.page.locator("[name=name]").fill(name)
        self.page.locator("[name=sender]").fill(f"{name.lower()}@players.localhost")
        self.page.locator("[name=text]").fill(line)
        self._send()
        assert self.kind == "signup"
        self.answers(yes)
        assert self.kind == "welcome"

    def opens(self, name: str, kind: str) -> None:
        """The newest letter of the mailbox, once it is of the kind."""

        def came() -> bool:
            self.page.goto(f"{self.home}{name.lower()}@players.localhost/")
            self.page.locator(".list a").first.click()
            return self.kind == kind

        wait_until(came, f"a {kind} letter for {name}", 30)

    def answers(self, text: str) -> None:
        self.page.locator("[name=text]").fill(text)
        self._send()

    def touches(self, link: str, writes: str = "") -> None:
        """A link of the letter, and sends what it writes: the link's own words where nothing else is said."""
        self.frame.get_by_role("link", name=link, exact=True).first.click()
        self.page.wait_for_url("**?to=*")
        assert self.page.locator("[name=text]").input_value() == (writes or link)
        self._send()

    def _send(self) -> None:
        self.page.locator("form.card button").click()
        self.page.locator(".done").wait_for()
        self.shot()

    def shot(self) -> None:
        if SHOTS:
            self.page.screenshot(
                path=Path(SHOTS) / f"{len(list(Path(SHOTS).glob('*.png'))):02}.png", full_page=True
            )


def test_from_signing_up_to_a_move_by_nothing_but_the_page(house: House, chromium: Browser) -> None:
    house.serve()
    context = chromium.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    program = MailProgram(house, context.new_page())
    program.signs_up("Emma", "REGISTER Emma", "YES")
    program.signs_up("Gianni", "ISCRIVIMI Gianni", "SÌ")
    program.opens("Emma", "welcome")
    program.answers("CHALLENGE Gianni loa first\n\nFancy a game?")
    if program.kind == "confirm":  # nothing vouches for what comes to this door
        program.answers("YES")
    program.opens("Gianni", "challenge")
    program.touches("SÌ", writes="SI")
    program.opens("Emma", "turn")
    program.touches("b1-b3")
    assert program.kind == "played"
    program.opens("Gianni", "turn")
    assert "b1-b3" in program.page.locator("pre").text_content()
    program.answers("a2-c2\n\nCiao Emma!")
    assert program.kind == "played"
    program.opens("Emma", "turn")
    program.frame.get_by_text("Ciao Emma!").wait_for()
    with house.rows():
        assert [turn.move for turn in Match.objects.get().live_turns()] == ["b1-b3", "a2-c2"]
    context.close()
    _with_scripts(house, chromium)


def _with_scripts(house: House, chromium: Browser) -> None:
    """The frame is as tall as the letter, nothing runs off the edge, and a letter that comes is told of."""
    for width in (1280, 390):
        context = chromium.new_context(viewport={"width": width, "height": 844})
        program = MailProgram(house, context.new_page())
        program.opens("Emma", "turn")
        page = program.page
        page.wait_for_function(IS_TALL)
        assert page.evaluate(FITS)
        program.shot()
        if width == 390:
            post, door = house.post, house.door
            emma = Correspondent("Emma", "emma@players.localhost", "%d/%m/%Y:", post, door)
            emma.write("play@pbem.localhost", "GAMES")
            page.locator("#news a").click()
            assert program.kind == "games"
        context.close()
