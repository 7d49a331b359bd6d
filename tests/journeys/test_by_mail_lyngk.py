"""A whole game of LYNGK by mail, in both languages: claims, what is missing or wrong explained, a skipped turn."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import moves

SETUP = "KRRKIGBIBIRGGJBRKRKIIBBIGRIIBBGJBKRGJKGKGKR"
GAME = """
I,c3-c2 R,b2-c2 d5-d4 B,e5-d4 e2-d1 d4-g5 K,f3-f4 g5-g6 d1-g2 c2-e1 g2-f1 c6-b4 c1-f2 f2-g3 b3-b4 g4-g3 h4-f4
d3-g3 e6-e4 d6-e7 e3-e7 b1-e4 h1-h2 f5-c5 h3-i1 c5-a1 f1-d2 a1-f6 c7-c4 pass g7-g1
"""
TYPED = {
    "I,c3-c2": "I claim ivory, c3-c2",
    "R,b2-c2": "rosso, b2 c2",
    "B,e5-d4": "B e5-d4",
    "K,f3-f4": "k, F3-F4",
}


def said(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes(f"CHALLENGE Bruno lyngk first setup={SETUP}").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "ivory").verdict != "ok"
    assert "And which stack moves? Write both in one line" in said(alice)
    for ply, move in enumerate(GAME.split()):
        who = (alice, bruno)[ply % 2]
        if ply == 1:
            assert "rivendica il colore avorio e muove da c3 su c2" in said(bruno)
            assert bruno.answers(bruno.letter, "avorio, b2-c2").verdict != "ok"
            assert "L'avversario ha già rivendicato quel colore." in said(bruno)
        if move != "pass":
            assert who.answers(who.letter, TYPED.get(move, move)).verdict == "ok", move
        if ply == 3:
            assert "R,b2-c2" in said(alice)
            assert "A,c3-c2" in said(bruno)
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.SECOND, "stacks_5")
    assert moves(match) == GAME.split()
    assert "Bruno has more stacks of five and wins." in said(alice)
    assert "Bruno ha più pile di cinque e vince." in said(bruno)
    assert all(len(line) <= 72 for line in alice.letter.text.splitlines() if "://" not in line)


def test_the_variant_with_six(alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.writes("SFIDA Alice lyngk six secondo").verdict == "ok"
    assert "stacks of six: one wins at once" in said(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get().game_name == "lyngk:six"
