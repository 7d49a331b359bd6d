"""The desk as a whole: its front and who is let in."""

from datetime import UTC, datetime

from django.test import Client
from django.utils.formats import date_format
from django.utils.translation import override


def test_the_front_names_every_drawer(desk: Client) -> None:
    html = desk.get("/admin/").content.decode()
    for model in (
        "players/player",
        "matches/match",
        "matches/event",
        "inbox/inboundmail",
        "inbox/confirmation",
        "outbox/outboundmail",
    ):
        assert f'href="/admin/{model}/"' in html
    assert "PBeM" in html
    assert "desk/desk.css" in html


def test_strangers_are_asked_to_sign_in(db: None) -> None:
    for where in ("/admin/", "/admin/players/player/invite/", "/admin/matches/match/add/"):
        assert "/admin/login/" in Client().get(where).headers["location"]
    assert (
        "/admin/login/" in Client().post("/admin/outbox/outboundmail/1/press/send-again/").headers["location"]
    )


def test_what_django_says_in_italian_is_said_better(desk: Client) -> None:
    html = desk.get("/admin/matches/match/").content.decode()
    assert "Esci" in html
    assert "Annulla l&#x27;accesso" not in html
    assert "Scegli partita da visualizzare" in html


def test_dates_are_written_as_in_letters() -> None:
    """No month in front, no p.m.; and in Italian no 1 dicembre, which is 1º dicembre."""
    moment = datetime(2026, 12, 1, 16, 50, tzinfo=UTC)
    with override("en"):
        assert date_format(moment, "DATETIME_FORMAT") == "1 December 2026, 16:50"
        assert date_format(moment, "SHORT_DATETIME_FORMAT") == "1 Dec 2026, 16:50"
    with override("it"):
        assert date_format(moment, "DATETIME_FORMAT") == "01/12/2026 16:50"
