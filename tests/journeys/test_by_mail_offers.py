"""Open offers: published, listed, taken and withdrawn by letters."""

import pytest

from pbem.matches.matchmaking.seeks import MOST_OFFERS
from pbem.matches.models import Match, Seek
from pbem.players.services import fall_silent
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped
from tests.players_fixtures import Begin


def number() -> int:
    return Seek.objects.latest("pk").pk


def test_an_offer_is_listed_and_taken_and_the_match_begins(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    assert alice.writes("OFFER zertz blitz 3d/move second").verdict == "ok"
    assert f"CLOSE {number()}" in alice.letter.text
    assert bruno.writes("APERTE").verdict == "ok"
    listed = unwrapped(bruno.letter.text)
    assert f"ENTRO {number()}" in listed
    assert "La offre Alice. Sei tu a muovere per primo." in listed or "Cominci" in listed
    assert "Alice è qui da poco" in listed
    bruno.reads()
    alice.reads()
    assert bruno.writes(f"ENTRO {number()}").verdict == "ok"
    match = Match.objects.get()
    assert match.status == Match.Status.PLAYING
    assert match.players == ("Bruno", "Alice")
    assert (match.game_name, match.agreed.clock) == ("zertz:blitz", "3d/move")
    assert (alice.kinds(), bruno.kinds()) == (["turn"], ["turn"])
    assert f"Bruno has taken your offer {number()}." in unwrapped(alice.letter.text)
    assert f"Hai accettato l'offerta {number()}." in unwrapped(bruno.letter.text)
    assert bruno.answers(bruno.letter, "Wd4,a1").verdict in (
        "ok",
        Code.NO_MOVE_FOUND,
        Code.ILLEGAL_MOVE,
    )  # its address is the match's
    assert charlie.letters == []


def test_an_offer_is_taken_once(alice: Correspondent, bruno: Correspondent, charlie: Correspondent) -> None:
    alice.writes("OFFER loa")
    bruno.writes(f"ENTRO {number()}")
    assert charlie.writes(f"JOIN {number()}").verdict == Code.NO_SUCH_OFFER
    assert "no open offer with this number" in unwrapped(charlie.letter.text)
    charlie.writes("OPEN")
    assert "JOIN" not in charlie.letter.text


@pytest.mark.prove
def test_a_standing_offer_keeps_so_many_matches_going(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    assert bruno.writes("OFFRO loa TENGO 2 NERO").verdict == "ok"
    assert "meno di 2 partite" in unwrapped(bruno.letter.text)
    assert alice.writes(f"JOIN {number()}").verdict == "ok"
    assert alice.writes(f"JOIN {number()}").verdict == Code.JOINED_ALREADY
    assert charlie.writes(f"JOIN #{number()}").verdict == "ok"
    charlie.writes("OPEN loa")
    assert "JOIN" not in charlie.letter.text
    assert Match.objects.filter(seats__side=0, seats__player=bruno.player).count() == 2
    alice.writes(f"RESIGN {Match.objects.earliest('pk').pk}")
    alice.answers(alice.letter, "YES RESIGN")
    assert alice.writes(f"JOIN {number()}").verdict == "ok"
    assert Match.objects.filter(status=Match.Status.PLAYING).count() == 2


def test_an_offer_is_withdrawn_by_whoever_made_it(alice: Correspondent, bruno: Correspondent) -> None:
    bruno.writes("OFFRO gemma")
    assert alice.writes(f"CLOSE {number()}").verdict == Code.NO_OFFER_OF_YOURS
    assert alice.writes("JOIN 4711").verdict == Code.NO_SUCH_OFFER
    assert bruno.writes(f"ENTRO {number()}").verdict == Code.AGAINST_YOURSELF
    assert bruno.writes(f"CHIUDO {number()}").verdict == "ok"
    assert f"La tua offerta {number()} è chiusa" in bruno.letter.text
    assert alice.writes(f"JOIN {number()}").verdict == Code.NO_SUCH_OFFER
    assert alice.writes("OPEN").verdict == "ok"
    assert "OFFER zertz" in alice.letter.text


def test_there_is_an_end_to_offering(post: Post, alice: Correspondent) -> None:
    for _ in range(MOST_OFFERS):
        assert alice.writes("OFFER loa").verdict == "ok"
    assert alice.writes("OFFER loa").verdict == Code.TOO_MANY_OFFERS
    assert alice.writes(f"CLOSE {number()}").verdict == "ok"
    assert alice.writes("OFFER loa").verdict == "ok"
    post.wait(days=31)  # nobody wanted them
    assert alice.writes("OFFER loa").verdict == "ok"


@pytest.mark.parametrize(
    "wish", ["OFFER zertz:nonsense", "OFFER loa goals=short", "OFFER trapdoor setup=nonsense"]
)
def test_what_cannot_be_played_is_not_offered(alice: Correspondent, wish: str) -> None:
    assert alice.writes(wish).verdict in (Code.NO_SUCH_GAME, Code.BAD_SETUP)
    assert not Seek.objects.exists()


def test_an_offer_is_for_those_whom_it_asks_for(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    assert bruno.writes("OFFRO loa LINGUA=it PUNTUALE=90").verdict == "ok"
    assert "90%" in bruno.letter.text
    assert "Italiano" in bruno.letter.text or "italiano" in bruno.letter.text
    assert alice.writes("OPEN").verdict == "ok"
    assert "JOIN" not in alice.letter.text
    assert alice.writes(f"JOIN {number()}").verdict == Code.NO_SUCH_OFFER
    assert charlie.writes("OFFER loa").verdict == "ok"
    alice.writes("REFUSE charlie")
    assert alice.writes(f"JOIN {number()}").verdict == Code.NO_SUCH_OFFER
    assert bruno.writes(f"ENTRO {number()}").verdict == "ok"


def test_the_offer_of_somebody_who_gets_no_letters_is_not_open(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("OFFER loa")
    fall_silent(alice.player, now=post.now)
    assert bruno.writes(f"ENTRO {number()}").verdict == Code.NO_SUCH_OFFER


def test_a_draw_offered_with_a_move_is_told_once(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    alice.answers(alice.letter, "b1-b3\nDRAW")
    told = bruno.letter.text.lower()
    assert told.count("patta proposta") == 1


@pytest.mark.parametrize("said", ["Yes! Sunny day over here.", "Yes, agreed. Good game!"])
@pytest.mark.parametrize("offer", ["DRAW", "UNDO"])
def test_a_yes_within_other_words_accepts_nothing_and_is_asked_about(
    alice: Correspondent, bruno: Correspondent, said: str, offer: str
) -> None:
    alice.writes("CHALLENGE Bruno loa first")
    bruno.answers(bruno.letter, "YES")
    alice.answers(alice.letter, "b8-b6")
    alice.answers(alice.letter, offer)
    bruno.answers(bruno.letter, said)
    match = Match.objects.get()
    assert (match.ended_at, match.ply) == (None, 1)
    assert bruno.letter.kind == "confirm"
    bruno.answers(bruno.letter, "SÌ PATTA" if offer == "DRAW" else "SÌ")
    match.refresh_from_db()
    assert match.ended_at is not None if offer == "DRAW" else match.ply == 0
