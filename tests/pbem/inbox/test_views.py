"""Which letters a player gets: looking changes nothing, pressing does, without any cookie."""

import pytest
from django.test import Client

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.players.subscriptions import Subscription
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post


def page_of(letter: Delivery) -> str:
    [header] = letter.message.get_all("List-Unsubscribe") or []
    assert letter.message.get_all("List-Unsubscribe-Post") == ["List-Unsubscribe=One-Click"]
    return "/" + str(header).partition(">")[0].partition("://")[2].partition("/")[2]


@pytest.fixture
def path(alice: Correspondent) -> str:
    """Of an answer: it is about letters of every sort."""
    alice.writes("HELP")
    return page_of(alice.letter)


@pytest.fixture
def turn_path(loa: Match, alice: Correspondent) -> str:
    assert alice.letter.kind == "turn"
    return page_of(alice.letter)


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def wanted(who: Correspondent) -> set[str]:
    player = Player.objects.get(name=who.name)
    return {str(sort) for sort in Subscription if player.wants(sort)}


ALL = {str(sort) for sort in Subscription}


def test_looking_changes_nothing(turn_path: str, browser: Client, alice: Correspondent) -> None:
    for look in (browser.get, browser.head):
        answer = look(turn_path, headers={"purpose": "prefetch"})
        assert answer.status_code == 200
        assert not answer.cookies
        assert "no-store" in answer.headers["cache-control"]
    assert wanted(alice) == ALL


def test_one_click_stops_letters_of_that_sort(turn_path: str, browser: Client, alice: Correspondent) -> None:
    """As a mail program sends it (RFC 8058): no page seen before, no cookie, no way round."""
    for _ in range(2):
        answer = browser.post(turn_path, {"List-Unsubscribe": "One-Click"})
        assert (answer.status_code, dict(answer.cookies)) == (200, {})
        assert wanted(alice) == ALL - {"turns"}


def test_one_click_as_an_encoded_form(turn_path: str, browser: Client, alice: Correspondent) -> None:
    form = "application/x-www-form-urlencoded"
    assert browser.post(turn_path, "List-Unsubscribe=One-Click", content_type=form).status_code == 200
    assert wanted(alice) == ALL - {"turns"}


def test_one_click_on_an_answer_stops_them_all(path: str, browser: Client, alice: Correspondent) -> None:
    browser.post(path, {"List-Unsubscribe": "One-Click"})
    assert wanted(alice) == set()
    alice.reads()
    alice.writes("HELP")
    assert alice.kinds() == ["help"]


def test_each_letter_names_its_sort(
    browser: Client, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\n\nHello")
    bruno.answers(bruno.letter, "a2-c2")
    bruno.answers(bruno.letter, "DICO Ciao")
    bruno.writes("SFIDA Alice zertz")
    kinds = {letter.kind: letter for letter in alice.letters}
    for kind, sort in {
        "turn": "turns",
        "played": "receipts",
        "message": "messages",
        "challenge": "challenges",
    }.items():
        before = wanted(alice)
        browser.post(page_of(kinds[kind]), {"List-Unsubscribe": "One-Click"})
        assert before - wanted(alice) == {sort}


def test_the_form_says_it_all(turn_path: str, browser: Client, alice: Correspondent) -> None:
    page = browser.get(turn_path).content.decode()
    assert [f'name="{sort}" checked' in page for sort in Subscription] == [
        False,
        True,
        True,
        True,
        True,
        True,
    ]
    done = browser.post(turn_path, {"choice": "these", "turns": "on", "news": "on"})
    assert wanted(alice) == {"turns", "news"}
    page = done.content.decode()
    assert [f'name="{sort}" checked' in page for sort in Subscription] == [
        True,
        False,
        False,
        False,
        True,
        False,
    ]
    browser.post(turn_path, {"choice": "none"})
    assert wanted(alice) == set()


def test_an_empty_post_is_no_click(turn_path: str, browser: Client, alice: Correspondent) -> None:
    for body in ({}, {"List-Unsubscribe": "no"}):
        assert browser.post(turn_path, body).status_code == 400
    assert wanted(alice) == ALL


def test_the_page_speaks_the_language_of_the_player(
    post: Post, browser: Client, alice: Correspondent, bruno: Correspondent
) -> None:
    pages = []
    for who in (alice, bruno):
        who.writes("HELP")
        pages.append(browser.get(page_of(who.letter)).content.decode())
    assert 'lang="en"' in pages[0]
    assert "Turn letters" in pages[0]
    assert 'lang="it"' in pages[1]
    assert "Lettere di turno" in pages[1]


def test_a_name_is_text_on_the_page(path: str, browser: Client) -> None:
    Player.objects.update(name="<b>A</b>")
    assert b"<b>A</b>" not in browser.get(path).content


def test_an_old_link_stops_working_after_two_years(post: Post, alice: Correspondent, path: str) -> None:
    post.wait(days=732)
    to = str(alice.letter.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    assert post.deliver(b"From: a@b.example\n\n", to).verdict == Code.REVOKED


@pytest.mark.parametrize("token", ["a" * 32, "short", "%00"])
def test_a_link_that_we_did_not_make_is_not_found(db: None, browser: Client, token: str) -> None:
    for ask in (browser.get, browser.post):
        assert ask(f"/u/{token}/").status_code == 404


def test_other_verbs_are_refused(path: str, browser: Client, alice: Correspondent) -> None:
    for verb in (browser.put, browser.patch, browser.delete, browser.options):
        assert verb(path, "List-Unsubscribe=One-Click").status_code == 405
    assert wanted(alice) == ALL
