"""What all public pages have: the letters' look, two languages, no cookie, and a way back from what is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from pbem import urls
from pbem.outbox.rendering.recipient import SHEETS
from pbem.players.models import Player

pytestmark = pytest.mark.django_db
PATHS = ("", "games/", "games/zertz/", "guide/", "api/", "privacy/")
BASE = Path(settings.ROOT, "templates", "site")


def raises(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


urlpatterns = [path("raises/", raises), *urls.urlpatterns]


def style() -> str:
    return Path(str(finders.find("site/site.css"))).read_text("utf-8")


def test_the_style_is_small_and_has_the_colours_of_letters() -> None:
    assert len(style().encode()) <= 8192
    light, dark = (dict(re.findall(r"--(\w+): (#\w{6})", line)) for line in style().splitlines()[1:3])
    for found, sheet in ((light, SHEETS["default"]), (dark, SHEETS["dark"])):
        assert found == {name: getattr(sheet, name) for name in found}
        assert len(found) == 8


def test_no_template_of_the_site_has_style_or_script_in_it() -> None:
    for template in BASE.glob("*.html"):
        text = template.read_text("utf-8")
        assert not re.search(r"<style|\sstyle=|<script(?! src)|\son\w+=", text), template


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("where", PATHS)
def test_a_page_is_the_same_for_all_and_says_where_its_translation_is(where: str, language: str) -> None:
    answer = Client().get(f"/{language}/{where}")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert not answer.cookies
    assert "Vary" not in answer.headers
    assert "public" in answer.headers["Cache-Control"]
    assert "'unsafe" not in answer.headers["Content-Security-Policy"]
    assert "require-trusted-types-for 'script'" in answer.headers["Content-Security-Policy"]
    assert f'<html lang="{language}">' in html
    for other in ("en", "it"):
        assert f'hreflang="{other}" href="{settings.SITE_URL}/{other}/{where}"' in html
    assert (
        Client().get(f"/{language}/{where}", headers={"if-none-match": answer.headers["ETag"]}).status_code
        == 304
    )


def test_every_link_of_every_page_leads_somewhere() -> None:
    client, seen, left = Client(), set(), ["/en/", "/it/"]
    while left:
        page = left.pop()
        if page in seen:
            continue
        seen.add(page)
        answer = client.get(page)
        assert answer.status_code in (200, 302), page
        if page.startswith(("/en/", "/it/")) and not page.endswith((".svg", ".png")):
            left += re.findall(r'(?:href|src)="(/(?:en|it)/[^"#?]*)', answer.content.decode())
            for name in re.findall(r'="/static/([^"]*)', answer.content.decode()):
                assert finders.find(name)
    assert len(seen) > 100


@pytest.mark.parametrize(
    ("asked", "where"), [("it-IT,en;q=0.5", "/it/"), ("de,en;q=0.5", "/en/"), ("", "/en/")]
)
def test_the_front_door_speaks_the_language_of_the_visitor(asked: str, where: str) -> None:
    answer = Client().get("/", headers={"accept-language": asked})
    assert answer.headers["Location"] == where
    assert answer.headers["Vary"] == "Accept-Language"


@pytest.mark.parametrize(
    "where",
    ["/nothing", "/en/nothing/", "/en/games/nothing/", "/en/games/nothing.svg", "/en/games/zertz/0.svg"],
)
def test_what_is_not_there_is_said_in_the_same_dress(where: str) -> None:
    answer = Client().get(where, headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()
    assert "site/site.css" in answer.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_an_error_of_ours_is_said_in_the_same_dress() -> None:
    answer = Client(raise_request_exception=False).get("/raises/", headers={"accept-language": "it"})
    assert answer.status_code == 500
    assert "site/site.css" in answer.content.decode()


def test_programs_find_an_icon_where_they_look_for_it() -> None:
    answer = Client().get("/favicon.ico")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/static/site/icon.svg")


def test_nothing_can_be_sent_to_a_page() -> None:
    assert Client().post("/en/").status_code == 405


def test_a_picture_follows_the_colour_scheme_and_loads_nothing() -> None:
    answer = Client().get("/it/games/zertz:+11.svg")
    text = answer.content.decode()
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    for sheet in (SHEETS["default"], SHEETS["dark"]):
        assert f"--paper:{sheet.paper};" in text
    assert "prefers-color-scheme:dark" in text
    assert 'fill="var(--paper)"' in text


def test_the_front_page_offers_a_robot_only_where_there_is_one() -> None:

    assert "Play a robot now" in Client().get("/en/").content.decode()
    Player.objects.filter(robot__isnull=False).delete()
    assert "Play a robot now" not in Client().get("/en/").content.decode()
