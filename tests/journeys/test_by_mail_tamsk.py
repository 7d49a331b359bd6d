"""A whole game of TAMSK by mail, in both languages: illegal moves explained, a skipped turn, the end."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import moves

GAME = """
d7-e6 g4-f5 e6-d7 f5-g4 d7-c6 a4-b5 g1-g2 g4-g3 g2-g1 b5-a4 c6-d6 a4-a3 a1-a2 a3-b4 g1-f1 g3-f4 d6-e5 d1-e1
f1-f2 e1-d1 a2-a1 f4-f3 f2-e2 f3-f2 e5-f4 f2-f3 f4-e5 f3-e3 e5-d6 e3-e4 d6-c5 d1-c1 a1-b1 b4-c4 c5-b4 c1-d2
b4-c5 c4-d5 b1-c2 e4-e3 c5-c4 e3-e4 c2-b2 d2-c2 c4-b3 c2-d2 b3-c4 e4-e3 c4-b3 e3-d4 e2-d3 d2-e2 b3-c3 d5-e4
pass e4-d5
"""


def said(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno tamsk first").verdict == "ok"
    assert "TAMSK" in said(bruno)
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "a1").verdict != "ok"
    assert "Where to? That glass can go to a2, b1 and b2." in said(alice)
    for ply, move in enumerate(GAME.split()):
        who = (alice, bruno)[ply % 2]
        if ply == 1:
            assert "muove da d7 a e6 e riempie lo spazio" in said(bruno)
            assert bruno.answers(bruno.letter, "g4 e6").verdict != "ok"
            assert "e6 non è accanto a g4: una clessidra si muove di uno spazio." in said(bruno)
        if move != "pass":
            assert who.answers(who.letter, move).verdict == "ok", move
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.SECOND, "fewer_rings")
    assert moves(match) == GAME.split()
    assert "No glass can move any more: Bruno has fewer rings left and wins." in said(alice)
    assert "Nessuna clessidra può più muovere: Bruno ha meno anelli in mano e vince." in said(bruno)
    assert all(len(line) <= 72 for line in alice.letter.text.splitlines() if "://" not in line)
