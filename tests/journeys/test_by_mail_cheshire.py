"""Cheshire Cat Chess by letters in both languages: from the challenge to the mate, with a square that has vanished."""

from games.protocol import Side
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped
from tests.players_fixtures import moves

LETTERS = {"Alice": {}, "Bruno": str.maketrans("KQRBN", "RDTAC")}
VANISHED = {
    "Alice": "The square {} has vanished: a piece may pass over it, but not stop there.",
    "Bruno": "La casella {} è svanita: ci si può passare sopra, ma non fermarsi.",
}


def test_alice_mates(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno Cheshire Cat Chess first").verdict == "ok"
    assert "La casella che lascia svanisce" in unwrapped(bruno.letter.text)
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    play_to_the_mate(alice, bruno)


def test_bruno_mates(alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.writes("SFIDA Alice Scacchi dello Stregatto bianco").verdict == "ok"
    assert "The square that it leaves vanishes" in unwrapped(alice.letter.text)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    play_to_the_mate(bruno, alice)


def play_to_the_mate(white: Correspondent, black: Correspondent) -> None:
    said(white, "e2-e4")
    said(black, "e7-e5")
    for who, king in ((white, "Ke1-e2"), (black, "Ke8-e7")):
        # no king has a square where its pawn stood, but a queen passes over it
        assert who.answers(who.letter, king.translate(LETTERS[who.name])).verdict == Code.ILLEGAL_MOVE
        assert VANISHED[who.name].format(king[-2:]) in unwrapped(who.letter.text)
        said(who, "Qd1-h5" if who is white else "Nc6")
    said(white, "Bc4")
    said(black, "Ng8-f6")
    said(white, "Qxf7#")
    match = Match.objects.get()
    assert moves(match) == ["e2-e4", "e7-e5", "d1-h5", "b8-c6", "f1-c4", "g8-f6", "h5xf7"]
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "mate")
    told = {who.name: unwrapped(who.letter.text) for who in (white, black)}
    assert f"Checkmate: {white.name} wins." in told["Alice"]
    assert f"Scacco matto: vince {white.name}." in told["Bruno"]


def said(who: Correspondent, written: str) -> None:
    assert who.answers(who.letter, written.translate(LETTERS[who.name])).verdict == "ok"
