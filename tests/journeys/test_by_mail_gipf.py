"""GIPF by letters in both languages: ways in, rows that are asked for, a turn tried, a whole game with its win."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent

TURNS = """
a5-c5 h1-h3 a5-d5 b6-b4 a3-d6 e9-e7 a3-f7;xb4,c5,d6,e7,f7 h4 i5-g5 a1-c3 i5-f5 i4-g6;xh2,h4,h5 g7-g4 i2-e6 g7-g3
a1-d4 g7-g2;xg2,g3,g4,g5,g6 a1-e5;xb2,c3,d4,f5 e1-e3 i2-g4 e1-e4 d7
"""
LAST = "e1-e7;xe2,e3,e4,e5,e6,e7,e8"


def said(who: Correspondent) -> str:
    """The newest letter, with single blanks."""
    return " ".join(who.letter.text.split())


def test_the_tournament_begins_with_gipf_pieces(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno gipf first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "e2").verdict != "ok"
    assert "Your first turn brings in a GIPF-piece: write Ge2." in said(alice)
    assert alice.answers(alice.letter, "Ge2").verdict == "ok"
    assert "introduce un pezzo GIPF bianco in e2" in said(bruno)
    assert bruno.answers(bruno.letter, "Ge9-e7").verdict != "ok"
    assert "Di lì non si entra così. Da dove a dove? e8." in said(bruno)
    assert bruno.answers(bruno.letter, "ge1-e3").verdict == "ok"
    assert "pushes a black GIPF-piece in from e1, up to e3" in said(alice)


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno gipf:standard first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, move in enumerate(TURNS.split()):
        who = (alice, bruno)[ply % 2]
        assert who.answers(who.letter, move).verdict == "ok", move
    assert "riprende" in " ".join(letter.text for letter in bruno.letters)
    assert alice.answers(alice.letter, "e1-e7").verdict != "ok"
    assert "This makes a row of yours, which is taken off. Which spots are emptied?" in said(alice)
    assert alice.answers(alice.letter, f"TRY {LAST}").verdict == "ok"
    assert "Bruno has no GIPF-piece left, and Alice wins." in said(alice)
    assert alice.answers(alice.letter, "e1-e7; xe2,e3,e4,e5,e6,e7,e8").verdict == "ok"
    match = Match.objects.get()
    assert match.live_turns()[22].move == LAST
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "no_gipf")
    assert "Bruno has no GIPF-piece left, and Alice wins." in said(alice)
    assert "Bruno non ha più pezzi GIPF: vince Alice." in said(bruno)
