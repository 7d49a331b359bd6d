"""What the forms about moves are told while they are filled in; nothing is written by asking."""

from typing import Any

from django.test import Client

from pbem.matches.models import Match


def look(browser: Client, match: Match, **asked: str) -> Any:
    return browser.get(f"/admin/matches/match/{match.pk}/look/", asked)


def test_a_move_is_legal_or_not_and_why(desk: Client, charlie: Client, match: Match) -> None:
    before = Match.objects.values().get(pk=match.pk)
    assert look(desk, match, move="b3-b5").json() == {"wrong": False, "said": "b3-b5 si può giocare."}
    illegal = look(desk, match, move="b3-b4").json()
    assert illegal["wrong"]
    assert "b3" in illegal["said"] or "b4" in illegal["said"]
    assert look(desk, match, move="<b>mah</b>" * 100).json()["wrong"]
    board = look(desk, match, ply="1").json()
    assert board["picture"].startswith("data:image/png;base64,")
    assert board != look(desk, match, ply="2").json()
    assert look(desk, match, ply="99999").json() == look(desk, match).json()
    assert look(charlie, match, move="b3-b5").status_code == 403
    assert desk.get("/admin/matches/match/0/look/").status_code == 404
    assert Match.objects.values().get(pk=match.pk) == before


def test_the_board_stands_beside_the_forms(desk: Client, match: Match) -> None:
    for verb, has_board in (("enter", True), ("roll-back", True), ("write", False)):
        shown = desk.get(f"/admin/matches/match/{match.pk}/press/{verb}/").content.decode()
        assert ("data-look" in shown, 'class="desk-board"' in shown) == (has_board, has_board)
