"""What a player who is challenged learns of the challenger, before they say yes."""

from random import Random

import pytest

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, Post, unwrapped
from tests.players_fixtures import Begin


def test_a_newcomer_is_called_that(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno zertz")
    assert "Alice è qui da poco" in unwrapped(bruno.letter.text)
    bruno.writes("SFIDA Alice zertz")
    assert "Bruno is new here" in unwrapped(alice.letter.text)


@pytest.mark.prove
def test_whoever_has_played_is_known_by_it(
    post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin
) -> None:
    for _ in range(5):
        number = begin("loa").pk
        for who in (alice, bruno, alice):
            post.wait(hours=3)
            move = Match.objects.get(pk=number).current().sample(Random(1))
            assert who.writes(f"{number} {move}").verdict == "ok"
    post.wait(days=3)
    alice.writes("CHALLENGE Bruno zertz")
    said = unwrapped(bruno.letter.text)
    assert "Nelle ultime partite Alice ha giocato in tempo il 100% delle mosse." in said
    assert "Metà delle risposte è arrivata entro 3 ore." in said
    assert "Ultima mossa: 6 maggio 2026." in said


def test_the_terms_stand_in_both_letters(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno zertz pie --rated blitz first")
    assert "SWAP" in unwrapped(alice.letter.text)
    assert "The match is rated." in unwrapped(alice.letter.text)
    assert "scambiare i colori: SCAMBIO" in unwrapped(bruno.letter.text)
    assert "La partita è valida per la classifica." in unwrapped(bruno.letter.text)
    assert Match.objects.get().agreed.pie


def test_options_of_older_servers_are_understood(alice: Correspondent, bruno: Correspondent) -> None:
    old = "loa challenge Bruno -scrambled --nagtime=7 --forfeittime=21 --totaltime=365"
    assert alice.writes(old).verdict == "ok"
    match = Match.objects.get()
    assert (match.game_name, match.agreed.clock, match.agreed.total) == (
        "loa:scrambled",
        "21d/move",
        "365d",
    )
