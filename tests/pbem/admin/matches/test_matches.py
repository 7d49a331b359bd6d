"""Matches at the desk: what can be seen, what can be started, and that nothing can be rewritten."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from games.kit.layout import DENSE
from games.registry import names
from pbem.admin.models import AuditEntry
from pbem.matches.models import Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player

ADD = "/admin/matches/match/add/"


def page(match: Match) -> str:
    return f"/admin/matches/match/{match.pk}/change/"


def picture(html: str) -> Image.Image:
    (data,) = re.findall(r'<img src="data:image/png;base64,([^"]+)" width="520"', html)
    return Image.open(BytesIO(b64decode(data)))


def test_the_page_shows_board_players_turns_and_letters(desk: Client, match: Match, language: str) -> None:
    html = desk.get(page(match)).content.decode()
    assert f'<html lang="{language}"' in html
    assert picture(html).width == DENSE
    for shown in ("Alice", "Bruno", "b1-b3", "h7-f7", "alice@example.org", "bruno@example.it"):
        assert shown in html
    assert "&lt;b&gt;Ciao&lt;/b&gt; Bruno!" in html
    for letter in OutboundMail.objects.filter(match=match):
        assert f'href="/admin/outbox/outboundmail/{letter.pk}/change/"' in html


def test_the_sides_are_called_as_in_the_language_of_the_desk(
    desk: Client, match: Match, language: str
) -> None:
    assert {"en": "(Black)", "it": "(Nero)"}[language] in desk.get(page(match)).content.decode()


def test_every_ply_can_be_looked_at(desk: Client, match: Match) -> None:
    boards = [picture(desk.get(page(match), {"ply": ply}).content.decode()).tobytes() for ply in range(5)]
    assert len(set(boards)) == 5
    assert picture(desk.get(page(match)).content.decode()).tobytes() == boards[4]


@pytest.mark.parametrize("ply", ["99", "-1", "x", "", "9" * 40, "²"])
def test_a_ply_that_was_not_played_shows_the_board_of_now(desk: Client, match: Match, ply: str) -> None:
    response = desk.get(page(match), {"ply": ply})
    assert response.status_code == 200
    assert response.context["board"].ply == 4


def test_a_board_that_cannot_be_drawn_is_shown_as_text(
    desk: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.outbox.rendering.board.render_png", lambda *_: 1 / 0)
    match.seated[0].player.name = "Alice the second"
    match.seated[0].player.save()  # no picture is remembered under this name
    html = desk.get(page(match)).content.decode()
    assert "<img" not in html
    assert "+---+---+---+" in html


def test_a_match_is_started_in_words(desk: Client, alice: Player, bruno: Player, language: str) -> None:
    form = desk.get(ADD).content.decode()
    assert {"en": "classic", "it": "disposizione classica"}[language] in form
    for name in names():
        assert f'value="{name}"' in form
    wish = {"first": bruno.pk, "second": alice.pk, "game": "loa:scrambled", "switches": "stuck=loss"}
    response = desk.post(ADD, wish)
    match = Match.objects.get()
    assert response.headers["location"] == page(match)
    assert (match.game_name, match.status, match.players) == (
        "loa:scrambled,stuck=loss",
        "playing",
        ("Bruno", "Alice"),
    )
    assert OutboundMail.objects.filter(match=match).count() == 2
    assert AuditEntry.objects.get().row == (match.pk)


def test_a_variant_with_a_set_up_is_tried(desk: Client, alice: Player, bruno: Player) -> None:
    wish = {"first": alice.pk, "second": bruno.pk, "game": "insert:x+", "setup": "+-|x" * 9}
    assert desk.post(ADD, wish).status_code == 302
    assert Match.objects.get().setup == wish["setup"]
    wish["setup"] = "+-|?" * 9
    assert "is no mark: they are" in desk.post(ADD, wish).content.decode()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"second": "first"}, None),
        ({"switches": "colour=red"}, None),
        ({"game": "zertz", "setup": "nonsense"}, None),
        ({"game": "ludo"}, "game"),
        ({"first": ""}, "first"),
    ],
)
def test_a_refusal_is_an_error_of_the_form(
    desk: Client, alice: Player, bruno: Player, change: dict[str, str], field: str | None
) -> None:
    wish = {"first": alice.pk, "second": bruno.pk, "game": "loa", **change}
    if wish["second"] == "first":
        wish["second"] = alice.pk
    response = desk.post(ADD, wish)
    assert response.status_code == 200
    assert list(response.context["adminform"].errors) == [field or "__all__"]
    assert not Match.objects.exists()
    assert not AuditEntry.objects.exists()


def test_who_is_suspended_or_has_no_address_cannot_be_seated(
    desk: Client, alice: Player, bruno: Player
) -> None:
    alice.addresses.update(verified_at=None)
    Player.objects.filter(pk=bruno.pk).update(suspended_at=bruno.created_at)
    errors = (
        desk.post(ADD, {"first": alice.pk, "second": bruno.pk, "game": "loa"}).context["adminform"].errors
    )
    assert list(errors) == ["first", "second"]


def test_new_reply_addresses_revoke_the_old_ones(desk: Client, match: Match) -> None:
    seat = match.seated[1]
    old = bytes(seat.salt)
    response = desk.post(f"/admin/matches/match/{match.pk}/press/new-addresses-1/")
    assert response.headers["location"] == page(match)
    seat.refresh_from_db()
    assert bytes(seat.salt) != old
    assert seat.revoked_salts == [old.hex()]
    [letter] = OutboundMail.objects.filter(kind="renewed")
    assert (letter.player, letter.match) == (seat.player, match)
    assert "Bruno" in AuditEntry.objects.get().said


def test_a_button_is_pressed_not_followed(desk: Client, match: Match) -> None:
    assert desk.get(f"/admin/matches/match/{match.pk}/press/record-txt/").status_code == 405
    assert (
        desk.get(f"/admin/matches/match/{match.pk}/press/new-addresses-1/").status_code == 200
    )  # it asks first
    assert desk.post(f"/admin/matches/match/{match.pk}/press/play/").status_code == 404
    assert desk.post("/admin/matches/match/999/press/new-addresses-1/").status_code == 404
    assert match.seated[1].revoked_salts == []


def test_a_button_needs_the_token_of_its_page(desk: Client, match: Match) -> None:
    desk.handler.enforce_csrf_checks = True
    assert desk.post(f"/admin/matches/match/{match.pk}/press/new-addresses-1/").status_code == 403
    assert "csrfmiddlewaretoken" in desk.get(page(match)).content.decode()


def test_nothing_of_a_match_is_edited_or_deleted(desk: Client, match: Match) -> None:
    assert desk.post(page(match), {"status": "over", "_save": "1"}).status_code == 403
    assert desk.post(f"/admin/matches/match/{match.pk}/delete/", {"post": "yes"}).status_code == 403
    content = desk.get(page(match)).content.decode().partition('id="content-main"')[2].partition("</form>")[0]
    assert not re.findall(r'<(?:input|select|textarea)[^>]*name="(?!csrf)', content)
    match.refresh_from_db()
    assert match.status == "playing"
    assert Turn.objects.count() == 4


def test_charlie_sees_nothing_and_starts_nothing(
    charlie: Client, match: Match, alice: Player, bruno: Player
) -> None:
    wish = {"first": alice.pk, "second": bruno.pk, "game": "loa"}
    assert charlie.get(page(match)).status_code == 403
    assert charlie.get("/admin/matches/match/").status_code == 403
    assert charlie.post(f"/admin/matches/match/{match.pk}/press/new-addresses-1/").status_code == 403
    assert charlie.post(ADD, wish).status_code == 403
    assert Match.objects.count() == 1


@pytest.mark.prove
def test_the_list_and_the_page_ask_few_questions(
    desk: Client, match: Match, alice: Player, bruno: Player, django_assert_max_num_queries: object
) -> None:
    for _ in range(20):
        desk.post(ADD, {"first": alice.pk, "second": bruno.pk, "game": "loa"})
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        html = desk.get("/admin/matches/match/").content.decode()
    assert html.count("Alice - Bruno") == 21
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        desk.get(page(match))


def test_events_are_read(desk: Client, charlie: Client, match: Match) -> None:
    event = match.events.latest("pk")
    assert f'href="{page(match)}"' in desk.get("/admin/matches/event/").content.decode()
    assert desk.get(f"/admin/matches/event/{event.pk}/change/").status_code == 200
    assert desk.post(f"/admin/matches/event/{event.pk}/change/", {"kind": "ended"}).status_code == 403
    assert charlie.get(f"/admin/matches/event/{event.pk}/change/").status_code == 403
