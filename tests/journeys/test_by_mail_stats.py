"""A player's own figures by letter: how their matches ended, how soon they answer, and nothing of anybody else's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.inbox.models import LONGEST_KEEPING
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, Delivery, Post
from tests.players_fixtures import Begin


def flat(letter: Delivery) -> str:
    return " ".join(letter.text.split())


def any_move() -> str:
    match = Match.objects.latest("pk")
    return str(next(match.at(match.position).moves()))


@pytest.fixture
def played(post: Post, alice: Correspondent, bruno: Correspondent, begin: Begin) -> None:
    """Alice has won at Zèrtz and lost on time at Lines of Action, of which one match is drawn and one runs."""
    zertz = begin("zertz first")
    assert bruno.writes(f"ABBANDONO {zertz.pk}").verdict == "A09"
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    begin("loa 6x6")
    alice.answers(alice.letter, "DRAW")
    bruno.answers(bruno.letter, "SÌ PATTA")
    begin("loa 1d")
    post.now = Match.objects.latest("pk").deadline + LONGEST_KEEPING + timedelta.resolution
    post.live()
    flag_overdue(now=post.now)
    post.send()
    begin("loa scrambled")
    alice.answers(alice.letter, any_move())
    post.wait(hours=5)
    bruno.answers(bruno.letter, any_move())
    alice.reads()
    bruno.reads()


def test_whoever_has_not_played_hears_how_to_begin(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("STATS").verdict == "ok"
    assert alice.letter.subject == "Your statistics"
    assert "You have not played a match yet." in flat(alice.letter)
    assert bruno.writes("Statistiche").verdict == "ok"
    assert bruno.letter.subject == "Le tue statistiche"
    assert "Non hai ancora giocato nessuna partita." in flat(bruno.letter)


@pytest.mark.prove
@pytest.mark.usefixtures("played")
def test_each_reads_their_own_figures_game_by_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("STATS").verdict == "ok"
    for said in (
        "Lines of Action: played 2, won 0, lost 1 (1 on time), drawn 1; running 1.",
        "Zèrtz: played 1, won 1, lost 0 (0 on time), drawn 0; running 0.",
        "All games: played 3, won 1, lost 1 (1 on time), drawn 1; running 1.",
    ):
        assert said in flat(alice.letter)
        assert said in " ".join(alice.letter.html.split())
    assert "answers came within" not in flat(alice.letter)  # she has only begun
    assert bruno.writes("STATISTICHE").verdict == "ok"
    for said in (
        "Tutti i giochi: giocate 3, vinte 1, perse 1 (0 per il tempo), patte 1; in corso 1.",
        "Metà delle tue ultime risposte è arrivata entro 5 ore.",
    ):
        assert said in flat(bruno.letter)
        assert said in " ".join(bruno.letter.html.split())


def test_of_others_nobody_asks_and_to_an_opponent_it_is_talk(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "b1-b3\nStats.").verdict == "ok"
    assert "Stats." in bruno.letter.text
    assert alice.writes("STATS Bruno").verdict == "P06"
    assert bruno.answers(bruno.letter, "STATISTICHE").verdict == "ok"
    assert "in corso 1" in flat(bruno.letter)
