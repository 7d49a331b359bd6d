"""Matches on the web: replay, pictures, records, archive and live list, as far as their players agree."""

from __future__ import annotations

import gzip
import json
import re
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import travel

from games.export import from_text
from games.registry import games
from pbem.matches.models import Match
from pbem.matches.services import play
from pbem.players.models import Player
from pbem.published.game_figures import figures
from pbem.published.match_page import MatchPage
from pbem.site import pictures
from pbem.site.views import matches as views
from tests.pbem.site.conftest import LATER, MOVES, NOON, Site, match, player


@pytest.fixture
def over(alice, bruno) -> Match:
    return match(alice, bruno)


@pytest.fixture
def going(alice, bruno) -> Match:
    return match(alice, bruno, over=False)


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_a_match_is_replayed_by_links_alone(
    browser: Client, over: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        html = page(browser, f"/en/matches/{over.pk}/")
    assert "Alice resigns, and Bruno wins." in html
    assert "3 March 2026" in html
    assert "SECRET" not in html
    for ply, move in enumerate(MOVES[:-1], start=1):
        assert f'href="/en/matches/{over.pk}/{ply}/"' in html
        assert move in html
    third = page(browser, f"/en/matches/{over.pk}/3/")
    assert re.search(r'aria-current="true">2\. b8-b6<', third)
    assert f'href="/en/matches/{over.pk}/2/" data-to="previous"' in third
    assert f'href="/en/matches/{over.pk}/4/" data-to="next"' in third
    for beyond in (7, 10**30):
        assert browser.get(f"/en/matches/{over.pk}/{beyond}/").status_code == 404


def test_a_match_that_goes_on_is_late(browser: Client, going: Match, settings: Settings) -> None:
    html = page(browser, f"/en/matches/{going.pk}/")
    assert MOVES[2] in html
    assert not any(move in html for move in MOVES[3:])
    assert "3 turns late" in html
    for ply in (4, 5, 6):
        assert browser.get(f"/en/matches/{going.pk}/{ply}/").status_code == 404
    assert MOVES[3] not in page(browser, f"/en/matches/{going.pk}/record.txt")
    settings.SITE_DELAY = 0
    assert MOVES[5] in page(browser, f"/en/matches/{going.pk}/")


def test_hidden_players_have_no_name_and_their_matches_no_day(browser: Client, carla, bruno) -> None:
    shown = match(carla, bruno)
    html = page(browser, f"/en/matches/{shown.pk}/")
    assert "Carla" not in html
    assert "Bruno" in html
    assert "3 March" not in html
    assert "March 2026" in html
    assert 'content="noindex"' in html
    record = from_text(page(browser, f"/en/matches/{shown.pk}/record.txt"))
    assert record.players == ("", "Bruno")
    assert record.started is record.ended is None
    assert json.loads(page(browser, f"/en/matches/{shown.pk}/record.json"))["second"] == "Bruno"


def test_what_is_hidden_is_as_what_does_not_exist(browser: Client, dora, carla, bruno) -> None:
    hidden = [
        match(dora, bruno),
        match(carla, bruno, over=False),
        match(bruno, player("Emil", Site.NAMED), private=True),
    ]
    nothing = browser.get("/en/matches/999999/")
    for each in hidden:
        for path in (
            "",
            "3/",
            "record.txt",
            "record.gif",
            "3-0123456789abcdef.svg",
            "small-6-0123456789abcdef.svg",
        ):
            answer = browser.get(f"/en/matches/{each.pk}/{path}")
            assert (answer.status_code, answer.content) == (404, nothing.content)
        assert browser.get(f"/en/embed/{each.pk}/3/").status_code == 404


def test_a_picture_stays_and_an_old_address_leads_to_it(browser: Client, over: Match) -> None:
    [picture] = re.findall(r'class="board" src="([^"]*)"', page(browser, f"/en/matches/{over.pk}/4/"))
    answer = browser.get(picture)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert not any(name in answer.content.decode() for name in ("Alice", "Bruno"))
    old = browser.get(re.sub(r"-\w+\.svg", "-0123456789abcdef.svg", picture))
    assert (old.status_code, old.headers["Location"]) == (302, picture)
    [preview] = re.findall(
        r'og:image" content="[^"]*?(/en/[^"]*)"', page(browser, f"/en/matches/{over.pk}/4/")
    )
    assert Image.open(BytesIO(browser.get(preview).content)).width == 1040


def test_the_film_is_drawn_once(browser: Client, over: Match) -> None:
    film = browser.get(f"/en/matches/{over.pk}/record.gif")
    with Image.open(BytesIO(film.content)) as frames:
        assert getattr(frames, "n_frames", 1) > len(MOVES)
    with patch("pbem.site.views.matches.replay_gif", side_effect=AssertionError):
        assert browser.get(f"/en/matches/{over.pk}/record.gif").content == film.content


def test_a_page_that_the_visitor_has_is_not_drawn_again(browser: Client, going: Match) -> None:
    path = f"/en/matches/{going.pk}/"
    etag = browser.get(path).headers["ETag"]
    with patch.object(MatchPage, "scene", side_effect=AssertionError):
        assert browser.get(path, headers={"if-none-match": etag}).status_code == 304
    assert going.moving
    play(going.moving, "b3-b5", now=NOON)
    assert browser.get(path, headers={"if-none-match": etag}).status_code == 200


def test_others_can_show_a_board(browser: Client, over: Match, settings: Settings) -> None:
    frame = browser.get(f"/en/embed/{over.pk}/4/")
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    told = json.loads(
        browser.get("/en/oembed", {"url": f"{settings.SITE_URL}/en/matches/{over.pk}/4/"}).content
    )
    assert f"/en/embed/{over.pk}/4/" in told["html"]
    assert browser.get("/en/oembed", {"url": f"{settings.SITE_URL}/admin/"}).status_code == 404
    assert browser.get("/en/oembed", {"url": "nothing"}).status_code == 404


def test_the_archive_goes_back_by_key_with_two_queries(
    browser: Client, alice, bruno, carla, dora, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    shown = [match(alice, bruno).pk for _ in range(3)]
    match(dora, alice)
    shown.append(match(carla, alice).pk)
    match(alice, bruno, over=False)
    with django_assert_num_queries(2):
        html = page(browser, "/en/matches/")
    assert re.findall(r'class="card" href="/en/matches/(\d+)/', html) == [str(pk) for pk in reversed(shown)]
    with patch("pbem.site.views.matches.SHOWN", 2):
        seen, older = [], ["?player=alice"]
        while older:
            html = page(browser, "/en/matches/" + older[0].replace("&amp;", "&"))
            seen += re.findall(r'class="card" href="/en/matches/(\d+)/', html)
            older = re.findall(r'rel="next" href="([^"]*)"', html)
    assert seen == [str(pk) for pk in reversed(shown)]


def test_the_archive_is_of_a_game_and_of_players(browser: Client, alice, bruno, carla) -> None:
    together, other = match(alice, bruno), match(carla, alice)
    for path, there in (
        ("?game=loa", {together, other}),
        ("?game=zertz", set()),
        ("?player=bruno", {together}),
        ("?player=alice&with=bruno", {together}),
        ("?player=carla", set()),
        ("?result=second", {together, other}),
        ("?result=second&game=loa&player=bruno", {together}),
        ("?result=first", set()),
        ("?result=draw&game=loa", set()),
        ("?player=nobody", set()),
    ):
        html = page(browser, f"/en/matches/{path}")
        assert {each for each in (together, other) if f"/en/matches/{each.pk}/" in html} == there, path
    for wrong in ("?game=nothing", "?result=nothing", "?before=x", "?before=" + "9" * 30):
        assert browser.get(f"/en/matches/{wrong}").status_code == 404


def test_a_line_is_tried_by_links_alone(browser: Client, over: Match) -> None:
    path = f"/en/matches/{over.pk}/2/"
    assert 'href="?line=" rel="nofollow"' in page(browser, path)
    answer = browser.get(f"{path}?line=")
    html = answer.content.decode()
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert not answer.cookies
    assert 'role="group"' in html
    assert re.search(r'<a href="\?line=b8" aria-label="b8[^"]*"', html)
    html = page(browser, f"{path}?line=b8.b6.h7")
    assert '<p class="line">2. b8-b6 </p>' in html
    assert 'href="?line=b8.b6"' in html
    assert 'href="?line=b8.b6.h7.' in html
    for wrong in ("b8.a1", "nonsense", "b8.." + "b6." * 200, "<script>"):
        lost = browser.get(path, {"line": wrong})
        assert (lost.status_code, lost.headers["Location"]) == (302, path)


def test_a_line_begins_at_boards_that_are_shown_alone(browser: Client, going: Match) -> None:
    assert browser.get(f"/en/matches/{going.pk}/3/?line=").status_code == 200
    assert browser.get(f"/en/matches/{going.pk}/4/?line=").status_code == 404


def test_a_page_of_results_goes_on_with_the_same(browser: Client, alice, bruno) -> None:
    matches = [match(alice, bruno).pk for _ in range(3)]
    Match.objects.filter(pk=matches[1]).update(winner=None)
    with patch("pbem.site.views.matches.SHOWN", 1):
        html = page(browser, "/en/matches/?game=loa&result=second")
        [older] = re.findall(r'rel="next" href="([^"]*)"', html)
        html = page(browser, "/en/matches/" + older.replace("&amp;", "&"))
    assert re.findall(r'class="card" href="/en/matches/(\d+)/', html) == [str(matches[0])]


def test_the_page_of_a_game_has_its_figures(browser: Client, alice, bruno) -> None:
    assert "first player won" not in page(browser, "/en/games/loa/")
    cache.clear()
    with patch("pbem.published.game_figures.FEWEST", 4):
        for _ in range(4):
            last = match(alice, bruno)
        Match.objects.filter(pk=last.pk).update(winner=None)
        html = page(browser, "/en/games/loa/")
    assert "Of the last 4 matches the first player won 0%, and 25% were drawn." in html
    assert "over within 3 moves" in html
    assert f"/en/matches/{last.pk}/" in html
    match(alice, bruno)
    with patch("pbem.published.game_figures._figures", side_effect=AssertionError):
        assert figures("loa") is not None


def test_the_boards_of_the_front_page_are_looked_for_every_fifteen_seconds(
    browser: Client, alice, bruno, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    shown = match(alice, bruno)
    assert f"/en/matches/{shown.pk}/" in page(browser, "/en/")
    with django_assert_max_num_queries(1):
        assert f"/en/matches/{shown.pk}/" in page(browser, "/en/")
    later = match(alice, bruno)
    with travel(LATER + timedelta(seconds=16), tick=False):
        assert f"/en/matches/{later.pk}/" in page(browser, "/en/")


def test_the_live_list_shows_late_boards(browser: Client, alice, bruno, carla) -> None:
    going = match(alice, bruno, over=False)
    hidden = match(carla, bruno, over=False)
    html = page(browser, "/en/playing/")
    assert f"/en/matches/{going.pk}/small-3-" in html
    assert f"/en/matches/{hidden.pk}/" not in html
    [board] = re.findall(r'<img src="(/en/matches/[^"]*)"', html)
    assert browser.get(board).status_code == 200
    assert browser.get(board.replace("small-3-", "small-6-")).status_code == 404


def test_costly_pictures_are_drawn_one_at_a_time_and_are_few(
    browser: Client, over: Match, settings: Settings, tmp_path: Path
) -> None:
    settings.VAR = tmp_path
    film = f"/en/matches/{over.pk}/record.gif"
    with pictures._drawing:
        busy = browser.get(film)
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "5")
    with patch.object(pictures, "MOST", 4):
        for ply in range(6):
            [preview] = re.findall(
                r'og:image" content="[^"]*?(/en/[^"]*)"', page(browser, f"/en/matches/{over.pk}/{ply}/")
            )
            assert browser.get(preview).status_code == 200
    assert len(list((tmp_path / "pictures").iterdir())) <= 4
    for other in ("record.exe", "3-0123456789abcdef.gif"):
        assert browser.get(f"/en/matches/{over.pk}/{other}").status_code == 404


def test_a_page_asks_once_for_its_boards(browser: Client, alice: Player, bruno: Player, dora: Player) -> None:
    shown, hidden = match(alice, bruno), match(alice, dora)
    html = browser.get("/en/").content.decode()
    sheets = set(re.findall(r'src="([^"#]*)#', html))
    assert len(sheets) == 1
    names = set(re.findall(r'src="[^"#]*#([^"]*)"', html))
    assert names == {"letter", *games(), f"m{shown.pk}"}
    [path] = sheets
    answer = browser.get(path)
    assert "immutable" in answer.headers["Cache-Control"]
    assert {f'id="{name}"' for name in names} == set(re.findall(r'id="[^"]*"', answer.content.decode()))
    other = browser.get(f"/en/boards/0.{shown.pk}.{hidden.pk}.svg")
    assert answer.content == other.content, "a match that is hidden has no board"
    assert "immutable" not in other.headers["Cache-Control"]
    packed = browser.get(path, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == answer.content
    assert len(packed.content) < 28_000
    for wrong in ("0.x", "0.12345678901234567", ".".join(map(str, range(20)))):
        assert browser.get(f"/en/boards/{wrong}.svg").status_code == 404


def test_a_tag_that_a_proxy_made_weak_is_known(browser: Client, alice: Player, bruno: Player) -> None:
    path = f"/en/matches/{match(alice, bruno).pk}/"
    tag = browser.get(path).headers["ETag"]
    with patch.object(views, "_context", side_effect=AssertionError("it is drawn")):
        assert browser.get(path, headers={"if-none-match": f"W/{tag}"}).status_code == 304
