"""Players on the web: only those who have said so, with ratings, offers, search and feeds."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from pbem.matches.matchmaking.seeks import offer
from pbem.players.models import FormerName, Player
from pbem.players.models.name import look_of
from pbem.ratings.models import Rating
from tests.pbem.site.conftest import NOON, Site, match, player

ATOM = "{http://www.w3.org/2005/Atom}"


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_only_those_are_listed_who_said_so(browser: Client, alice, bruno, carla, dora) -> None:
    html = page(browser, "/en/players/")
    assert [name for name in ("Alice", "Bruno", "Carla", "Dora", "Robot-1") if name in html] == [
        "Alice",
        "Bruno",
        "Robot-1",
    ]
    for name, step in (("alice", 301), ("Alice", 200), ("Carla", 404), ("Dora", 404), ("Nobody", 404)):
        assert browser.get(f"/en/players/{name}/").status_code == step
    assert "noindex" in page(browser, "/en/players/Alice/")
    assert "noindex" not in page(browser, "/en/players/Bruno/")


def test_a_page_tells_of_matches_and_ratings(browser: Client, alice, bruno, carla) -> None:
    rated = [match(alice, bruno, rated=True), match(bruno, alice, rated=True)]
    unrated = match(carla, alice)
    html = page(browser, "/en/players/Alice/")
    for each in (*rated, unrated):
        assert f"/en/matches/{each.pk}/" in html
    assert "Carla" not in html
    assert Rating.objects.filter(player=alice).exists()
    assert "/en/ratings/loa/" in html
    [curve] = re.findall(r'src="([^"]*loa\.svg)"', html)
    assert "polyline" in page(browser, curve)
    assert browser.get("/en/players/Alice/zertz.svg").status_code == 404


def test_rating_lists_name_those_who_said_so(browser: Client, alice, carla) -> None:
    match(alice, carla, rated=True)
    html = page(browser, "/en/ratings/loa/")
    assert "Alice" in html
    assert "Carla" not in html
    assert "/en/ratings/loa/" in page(browser, "/en/ratings/")
    assert browser.get("/en/ratings/nothing/").status_code == 404


def test_a_former_name_leads_to_the_new_one_while_that_is_public(browser: Client, alice) -> None:
    FormerName.objects.create(player=alice, name="Alicia", look=look_of("Alicia"), given_up_at=NOON)
    answer = browser.get("/en/players/Alicia/")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/en/players/Alice/")
    Player.objects.filter(pk=alice.pk).update(site=Site.UNNAMED)
    assert browser.get("/en/players/Alicia/").status_code == 404


def test_a_suspended_player_has_no_name(browser: Client, alice, bruno) -> None:
    shown = match(alice, bruno)
    Player.objects.filter(pk=alice.pk).update(suspended_at=timezone.now())
    assert browser.get("/en/players/Alice/").status_code == 404
    assert "Alice" not in page(browser, f"/en/matches/{shown.pk}/")


def test_offers_open_an_email(browser: Client, alice, carla, dora) -> None:
    numbers = [offer(who, game="loa", now=timezone.now(), rng=Random(1)).pk for who in (alice, carla, dora)]
    html = page(browser, "/en/offers/")
    assert [f"JOIN%20{number}" in html for number in numbers] == [True, True, False]
    assert "Alice" in html
    assert "Carla" not in html


@pytest.mark.parametrize("text", ["al", "AL", "Alice", "carla", "dora", "", "%", "0", "9" * 40])
def test_the_search_finds_the_public_alone(browser: Client, alice, carla, dora, text: str) -> None:
    answer = browser.get("/en/search", {"q": text})
    assert "no-store" in answer.headers["Cache-Control"]
    names = re.findall(r'href="/en/players/(\w+)/"', answer.content.decode())
    assert names == (["Alice"] if text.lower().startswith("al") else [])


def test_the_search_finds_matches_by_number(browser: Client, alice, bruno, dora) -> None:
    shown, hidden = match(alice, bruno), match(dora, bruno)
    assert f"/en/matches/{shown.pk}/" in page(browser, f"/en/search?q={shown.pk}")
    assert f"/en/matches/{hidden.pk}/" not in page(browser, f"/en/search?q={hidden.pk}")


def test_feeds_tell_of_finished_matches(browser: Client, alice, bruno, carla, dora) -> None:
    shown, undated = match(alice, bruno), match(carla, bruno)
    match(dora, bruno)
    match(alice, bruno, over=False)
    for feed, there in (
        ("matches", 2),
        ("games/loa", 2),
        ("games/zertz", 0),
        ("players/Bruno", 2),
        ("players/Alice", 1),
    ):
        answer = browser.get(f"/en/feeds/{feed}.atom")
        entries = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
        assert len(entries) == there, feed
        assert (
            browser.get(
                f"/en/feeds/{feed}.atom", headers={"if-none-match": answer.headers["ETag"]}
            ).status_code
            == 304
        )
    entries = ElementTree.fromstring(browser.get("/en/feeds/matches.atom").content).findall(f"{ATOM}entry")
    when = {
        str(each.findtext(f"{ATOM}id")).split("/")[-2]: each.findtext(f"{ATOM}updated") for each in entries
    }
    assert when == {str(shown.pk): "2026-03-03T12:00:00+00:00", str(undated.pk): "2026-03-01T00:00:00+00:00"}
    for hidden in ("players/Carla", "players/Dora", "games/nothing"):
        assert browser.get(f"/en/feeds/{hidden}.atom").status_code == 404


def test_search_engines_get_what_players_want_them_to_keep(browser: Client, alice, bruno) -> None:
    emil = player("Emil", Site.INDEXED)
    kept, shown = match(emil, bruno), match(alice, bruno)
    text = page(browser, "/en/sitemap.xml")
    ElementTree.fromstring(text)
    assert f"/en/matches/{kept.pk}/" in text
    assert f"/en/matches/{shown.pk}/" not in text
    assert "/en/players/Bruno/" in text
    assert "Alice" not in text
    robots = page(browser, "/robots.txt")
    assert "Disallow: /admin/\n" in robots
    assert "/it/sitemap.xml" in robots
