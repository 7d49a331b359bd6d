"""The desk as a whole: its front and who is let in."""

from django.test import Client


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
