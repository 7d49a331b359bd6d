"""A whole game of Othello by mail, in both languages: an illegal move, a forced pass, the last white disc."""

from itertools import cycle

import pytest

from games.protocol import Side
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.journeys.test_by_mail_hints import move_of, works
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import Begin, moves

GAME = ["c4", "c3", "e6", "b4", "a4", "a5", "b2", "d2", "a6", "f6", "g7", "f4", "g4", "pass", "e1"]
TYPED = {"c3": "C3.", "a4": "a disc on a4", "a5": "gioco in a5"}


def said(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def test_until_one_side_has_no_disc(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno reversi first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, (who, move) in enumerate(zip(cycle((alice, bruno)), GAME, strict=False)):
        if ply == 0:
            assert alice.answers(alice.letter, "c3").verdict == Code.ILLEGAL_MOVE
            assert "From c3 no row of opposing discs ends at one of yours" in said(alice)
        if ply == 1:
            assert bruno.answers(bruno.letter, "passo").verdict == Code.ILLEGAL_MOVE
            assert "Caselle giocabili: c3, e3 e c5." in said(bruno)
        if move == "pass":
            continue
        assert who.answers(who.letter, TYPED.get(move, move)).verdict == "ok"
        if ply == 2:
            assert "Pedine: nero 5, bianco 2." in said(bruno)
        if ply == 12:
            assert "Bruno has no legal move and passes." in said(alice)
            assert "4 | X |(X)|(X)|(X)|(X)|(X)|[X]|   |" in alice.letter.text
            assert "There is one legal move." in said(alice)
            assert "Non hai mosse possibili, quindi passi." in said(bruno)
    match = Match.objects.get()
    assert match.game_name == "othello"
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "most")
    assert moves(match) == GAME
    for who, end in ((alice, "Alice has more discs and wins"), (bruno, "Alice ha più pedine e vince")):
        assert who.letter.kind == "result"
        assert end in said(who)
        assert all(len(line) <= 72 for line in who.letter.text.splitlines() if "://" not in line)
        assert f"othello-{match.pk}.json" in who.letter.attachments


def test_hints_lines_that_are_tried_and_planned_and_a_move_taken_back(
    begin: Begin, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    match = begin("othello learning")
    assert alice.answers(alice.letter, "HINT 2").verdict == "ok"
    works(post)
    assert f"A robot would play {move_of(match)} here." in said(alice)
    assert alice.answers(alice.letter, "TRY d3; c3; c4").verdict == "ok"
    assert "c4" in said(alice)
    assert alice.writes(f"{match.pk} d3\nIF c3 THEN c4").verdict == "ok"
    assert bruno.answers(bruno.letter, "c3").verdict == "ok"
    match.refresh_from_db()
    assert moves(match) == ["d3", "c3", "c4"]
    assert alice.writes(f"{match.pk} UNDO").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    match.refresh_from_db()
    assert "c4" not in moves(match)


@pytest.mark.parametrize(
    ("asked", "named", "english"),
    [
        ("SFIDA Alice othello anti 6 secondo", "othello:6,anti", "Othello: 6x6; fewest discs win."),
        ("SFIDA Alice reversi 10 secondo", "othello:10", "Othello: 10x10."),
        ("SFIDA Alice othello:reversi secondo", "othello:reversi", "the players fill the centre themselves"),
    ],
)
def test_variants(alice: Correspondent, bruno: Correspondent, asked: str, named: str, english: str) -> None:
    assert bruno.writes(asked).verdict == "ok"
    assert english in said(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get().game_name == named
