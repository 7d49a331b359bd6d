"""Moves at the desk are written in the letters of its language: an Italian B is a white marble."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.protocol import Notation
from pbem.competitions.tournaments import open_tournament
from pbem.matches.models import Match, Tournament
from pbem.matches.offers import roll_back
from pbem.matches.services import play, start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from tests.pbem.admin.conftest import NOON

IMPORT = "/admin/matches/match/import/"
WRITTEN = {"en": "Wa1,a2", "it": "Ba1,a2"}


@pytest.fixture
def zertz(alice: Player, bruno: Player) -> Match:
    """White stands on a1; Alice reads English, Bruno Italian."""
    cup = open_tournament("Coppa", game="zertz", now=NOON)
    match = start(first=alice, second=bruno, game="zertz", now=NOON, rng=Random(1))
    Match.objects.filter(pk=match.pk).update(tournament=cup, round=1)
    cup.enter((alice, bruno))
    assert match.moving
    play(match.moving, "Wa1,a2", now=NOON + timedelta(hours=1))
    return Match.objects.get(pk=match.pk)


def page(match: Match) -> str:
    return f"/admin/matches/match/{match.pk}/change/"


def forget(match: Match) -> None:
    OutboundMail.objects.all().delete()
    match.delete()


def test_turns_and_timeline_speak_the_language_of_the_desk(desk: Client, zertz: Match, language: str) -> None:
    shown = desk.get(page(zertz)).content.decode()
    code = '<td class="desk-code">{}</td>'
    assert code.format(WRITTEN[language]) in shown
    assert (
        shown.count(code.format("Wa1,a2")) == {"en": 2, "it": 1}[language]
    )  # and as Alice wrote it, beside it
    assert f"1. {WRITTEN[language]}" in shown


def test_a_turn_that_was_taken_back_is_written_from_where_it_was_played(desk: Client, zertz: Match) -> None:
    assert zertz.moving
    second = zertz.game.write(zertz.current(), next(zertz.current().moves()), zertz.moving.player.notation)
    play(zertz.moving, second, now=NOON + timedelta(hours=2))
    roll_back(zertz, 0, now=NOON + timedelta(hours=3), side=None, reason="x")
    play(zertz.seated[0], "Bg4,a2", now=NOON + timedelta(hours=4))
    response = desk.get(page(zertz))
    assert response.status_code == 200
    assert response.content.decode().count("desk-undone") == 2


def test_the_form_of_taking_back_names_the_moves(desk: Client, zertz: Match, language: str) -> None:
    assert zertz.moving
    move = next(zertz.current().moves())
    play(zertz.moving, zertz.game.write(zertz.current(), move, zertz.moving.player.notation), now=NOON)
    form = desk.get(f"/admin/matches/match/{zertz.pk}/press/roll-back/").content.decode()
    assert f"1. {WRITTEN[language]}" in form


def test_a_move_is_entered_in_the_notation_of_the_desk(desk: Client, zertz: Match, language: str) -> None:
    """B is black in English and bianca in Italian, no matter who is to move: what the form offers is what it reads."""
    form = desk.get(f"/admin/matches/match/{zertz.pk}/press/enter/").content.decode()
    assert {"en": "English", "it": "taliano"}[language] in form
    desk.post(f"/admin/matches/match/{zertz.pk}/press/enter/", {"move": "Bb1,a3", "reason": "By telephone."})
    turn = zertz.turns.get(ply=1)
    assert turn.move == {"en": "Bb1,a3", "it": "Wb1,a3"}[language]
    assert (
        turn.written == {"en": "Nb1,a3", "it": "Bb1,a3"}[language]
    )  # as Bruno, who reads Italian, writes it


def test_score_sheets_have_the_notation_of_the_desk_and_its_tag(
    desk: Client, zertz: Match, language: str
) -> None:
    cup = Tournament.objects.get()
    for where in (
        f"/admin/matches/match/{zertz.pk}/press/record-txt/",
        f"/admin/matches/tournament/{cup.pk}/press/records-txt/",
    ):
        sheet = desk.post(where).content.decode()
        assert f'[Notation "{language} seed"]' in sheet
        assert f"1. {WRITTEN[language]}" in sheet


def test_what_the_desk_exports_it_reads_in_any_language(
    desk: Client, olga: User, zertz: Match, language: str
) -> None:
    sheet = desk.post(f"/admin/matches/match/{zertz.pk}/press/record-txt/").content.decode()
    forget(zertz)
    other = Client(headers={"accept-language": {"en": "it", "it": "en"}[language]})
    other.force_login(olga)
    assert other.post(IMPORT, {"records": sheet}).status_code == 302
    assert [turn.move for turn in Match.objects.get().turns.all()] == ["Wa1,a2"]


def untagged(sheet: str) -> str:
    return "\n".join(line for line in sheet.splitlines() if not line.startswith("[Notation")) + "\n"


@pytest.mark.parametrize("as_file", [False, True])
def test_a_score_sheet_without_a_tag_asks_which_notation(
    desk: Client, zertz: Match, language: str, as_file: bool
) -> None:
    """`B` is black to one and white to the other: nothing is kept until somebody says which."""
    sheet = untagged(desk.post(f"/admin/matches/match/{zertz.pk}/press/record-txt/").content.decode())
    forget(zertz)
    sent: dict[str, Any] = (
        {"file": SimpleUploadedFile("game.txt", sheet.encode())} if as_file else {"records": sheet}
    )
    asked = desk.post(IMPORT, sent)
    assert asked.status_code == 200
    assert "notation" in asked.context["adminform"].errors
    assert not Match.objects.exists()
    if as_file:
        sent = {"file": SimpleUploadedFile("game.txt", sheet.encode())}
    done = desk.post(IMPORT, {**sent, "notation": f"{language} seed"})
    assert done.status_code == 302
    assert [turn.move for turn in Match.objects.get().turns.all()] == ["Wa1,a2"]


def test_a_tag_of_an_unknown_notation_is_an_error_of_the_form(desk: Client, zertz: Match) -> None:
    sheet = untagged(desk.post(f"/admin/matches/match/{zertz.pk}/press/record-txt/").content.decode())
    forget(zertz)
    for tag in ("tlh seed", "it", "it sgf", ""):
        refused = desk.post(IMPORT, {"records": sheet.replace("[Rules", f'[Notation "{tag}"]\n[Rules')})
        assert refused.status_code == 200, tag
        assert not Match.objects.exists()


def test_json_needs_no_tag_its_moves_are_canonical(desk: Client, zertz: Match) -> None:
    text = desk.post(f"/admin/matches/match/{zertz.pk}/press/record-json/").content.decode()
    assert '"Wa1,a2"' in text
    forget(zertz)
    assert desk.post(IMPORT, {"records": text}).status_code == 302


def test_columns_are_the_notation_of_the_pages(zertz: Match) -> None:
    turn = zertz.turns.get()
    assert zertz.game.write(zertz.start_position(), zertz.game.move(turn.move), Notation("it")) == "Ba1,a2"
