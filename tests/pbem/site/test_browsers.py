"""Browsers sign in by a code that the registered mailbox gets, each for itself, and are forgotten in time."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from pbem.admin.people.erasure import erase
from pbem.admin.people.services import readmit, suspend
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.site import browsers
from pbem.site.models import Browser, SignIn
from tests.mail_fixtures import Correspondent, Post, registered

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def later() -> None:
    """Each moment is an argument."""


@pytest.fixture
def writer(post: Post) -> Correspondent:
    return registered(post, "Walter", "en")


class Visitor:
    """A browser with its cookie, at an address of its own."""

    def __init__(self, post: Post, network: str = "192.0.2.1") -> None:
        self.post, self.network = post, network
        self.cookie = ""

    def request(self) -> HttpRequest:
        request = RequestFactory().post("/s/", REMOTE_ADDR=self.network, headers={"user-agent": FIREFOX})
        if self.cookie:
            request.COOKIES[browsers.COOKIE] = self.cookie
        return request

    def takes(self, response: HttpResponse) -> None:
        if browsers.COOKIE in response.cookies:
            self.cookie = response.cookies[browsers.COOKIE].value

    def begins(self, address: str) -> bool:
        response = HttpResponse()
        found = browsers.players_at(address)
        begun = browsers.begin(self.request(), response, address, found, now=self.post.now)
        self.takes(response)
        self.post.send()
        return begun

    def types(self, code: str) -> bool:
        response = HttpResponse()
        finished = browsers.finish(self.request(), code, now=self.post.now)
        if finished:
            browsers.keep(response, finished)
            self.takes(response)
        return finished is not None

    @property
    def player(self) -> Player | None:
        browser = browsers.browser_of(self.request(), self.post.now)
        return browser.player if browser else None


@pytest.fixture
def visitor(post: Post) -> Visitor:
    return Visitor(post)


def code_in(reader: Correspondent) -> str:
    assert reader.letter.kind == "sign_in"
    found = re.search(rf"^    ([{browsers.LETTERS}]{{6}})\r?$", reader.letter.text, re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_code_of_the_letter_makes_the_browser_known_that_asked_for_it(
    visitor: Visitor, writer: Correspondent
) -> None:
    assert visitor.begins(writer.email)
    other = Visitor(visitor.post)
    code = code_in(writer)
    assert not other.types(code), "another browser was not asked"
    assert visitor.player is None
    assert visitor.types(f" {code.lower()[:3]} {code[3:]} ")
    assert visitor.player == writer.player
    row = Browser.objects.get()
    assert (row.words, row.code_at, row.since) == ("Firefox, Linux", visitor.post.now, visitor.post.now)
    assert not visitor.types(code), "a code is taken once"
    assert not SignIn.objects.exists()


def test_the_cookie_is_another_after_the_sign_in_and_no_row_has_it(
    visitor: Visitor, writer: Correspondent
) -> None:
    visitor.begins(writer.email)
    planted = visitor.cookie
    visitor.types(code_in(writer))
    assert visitor.cookie != planted
    assert visitor.cookie.encode() not in bytes(Browser.objects.get().digest)
    visitor.cookie = planted
    assert visitor.player is None


def test_an_address_of_nobodys_is_answered_alike(visitor: Visitor, writer: Correspondent) -> None:
    assert visitor.begins("nobody@example.org")
    assert visitor.cookie
    assert not OutboundMail.objects.exists()
    assert [visitor.types("BCDFGH") for _ in range(3)] == [False] * 3
    assert SignIn.objects.get().tries == 3


def test_five_codes_a_mailbox_and_twenty_a_visitor_in_a_day(post: Post, writer: Correspondent) -> None:
    assert [Visitor(post, f"192.0.2.{n}").begins(writer.email) for n in range(6)] == [True] * 5 + [False]
    assert len(writer.letters) == 5
    one = Visitor(post)
    begun = [one.begins(f"somebody{n}@example.net") for n in range(20)]
    assert begun == [True] * 19 + [False], "one of the twenty went to the mailbox above"
    post.wait(days=1)
    assert one.begins(writer.email)


def test_five_tries_and_ten_minutes(visitor: Visitor, writer: Correspondent) -> None:
    visitor.begins(writer.email)
    code = code_in(writer)
    wrong = ("B" if code[0] != "B" else "C") + code[1:]
    assert not any(visitor.types(wrong) for _ in range(5))
    assert not visitor.types(code)
    visitor.begins(writer.email)
    visitor.post.wait(minutes=10)
    assert not visitor.types(code_in(writer))
    assert not browsers.is_begun(visitor.request(), visitor.post.now)


def test_a_family_gets_a_code_each(post: Post, visitor: Visitor, writer: Correspondent) -> None:
    other = Player.objects.create(name="Tom")
    other.addresses.create(email=writer.email, verified_at=post.now)
    visitor.begins(writer.email)
    assert len(writer.letters) == 2
    assert visitor.types(code_in(writer))
    assert Browser.objects.get().player.name in ("Tom", writer.name)


def test_a_browser_is_forgotten_180_days_after_its_last_post(visitor: Visitor, writer: Correspondent) -> None:
    visitor.begins(writer.email)
    visitor.types(code_in(writer))
    visitor.post.wait(days=100)
    browser = browsers.browser_of(visitor.request(), visitor.post.now)
    assert browser is not None
    assert browsers.acts_at_once(browser, visitor.post.now)
    browser.player.strict = True
    assert not browsers.acts_at_once(browser, visitor.post.now), "a strict player's needs another code"
    browsers.used(visitor.request(), HttpResponse(), browser, now=visitor.post.now)
    visitor.post.wait(days=179)
    assert visitor.player == writer.player
    visitor.post.wait(days=2)
    assert visitor.player is None


def test_a_suspension_ends_all_browsers(visitor: Visitor, writer: Correspondent) -> None:
    visitor.begins(writer.email)
    code = code_in(writer)
    suspend(writer.player, now=visitor.post.now)
    assert not visitor.types(code)
    readmit(writer.player)
    visitor.begins(writer.email)
    visitor.types(code_in(writer))
    suspend(writer.player, now=visitor.post.now)
    readmit(writer.player)
    assert visitor.player is None


def test_what_the_cookie_says_of_itself(visitor: Visitor, writer: Correspondent) -> None:
    response = HttpResponse()
    browsers.begin(visitor.request(), response, writer.email, [], now=visitor.post.now)
    cookie = response.cookies[browsers.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert cookie["max-age"] == timedelta(days=180).total_seconds()
    assert not cookie["domain"]
    for forged in ("x" * 43, "é" * 43, "", "=" * 43, cookie.value + "A"):
        visitor.cookie = forged
        assert visitor.player is None


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile Safari/604.1", "Safari, iPhone"),
        ("curl/8.5.0", ""),
    ],
)  # fmt: skip
def test_browsers_in_words(agent: str, words: str) -> None:
    assert browsers.described(agent) == words


def test_an_erased_player_leaves_no_browser(visitor: Visitor, writer: Correspondent) -> None:
    visitor.begins(writer.email)
    visitor.types(code_in(writer))
    visitor.begins(writer.email)
    erase(writer.player, now=visitor.post.now)
    assert not Browser.objects.exists()
    assert not SignIn.objects.exists()
