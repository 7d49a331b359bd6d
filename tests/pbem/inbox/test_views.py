"""The way out of the letters: looking changes nothing, pressing does, without any cookie."""

import pytest
from django.test import Client

from tests.post import Correspondent, Post


@pytest.fixture
def path(alice: Correspondent) -> str:
    alice.writes("HELP")
    web = str(alice.letter.message["List-Unsubscribe"]).partition(">")[0]
    return "/" + web.partition("://")[2].partition("/")[2]


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def test_looking_changes_nothing(path: str, browser: Client, alice: Correspondent) -> None:
    for look in (browser.get, browser.head):
        assert look(path).status_code == 200
    assert alice.player.silent_since is None


def test_one_click_is_enough(path: str, browser: Client, alice: Correspondent) -> None:
    """As a mail program sends it (RFC 8058): no page seen before, no token of the site."""
    answer = browser.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert alice.player.silent_since is not None


def test_the_page_speaks_the_language_of_the_player(
    post: Post, browser: Client, alice: Correspondent, bruno: Correspondent
) -> None:
    pages = []
    for who in (alice, bruno):
        who.writes("HELP")
        web = str(who.letter.message["List-Unsubscribe"]).partition(">")[0]
        pages.append(browser.get("/" + web.partition("://")[2].partition("/")[2]).content.decode())
    assert 'lang="en"' in pages[0]
    assert 'lang="it"' in pages[1]


@pytest.mark.parametrize("token", ["a" * 32, "short", "%00"])
def test_a_link_that_we_did_not_make_is_not_found(db: None, browser: Client, token: str) -> None:
    for ask in (browser.get, browser.post):
        assert ask(f"/u/{token}/").status_code == 404


def test_other_verbs_are_refused(path: str, browser: Client) -> None:
    assert browser.put(path).status_code == 405
