"""PÜNCT by letters in both languages: what is missing asked for, a piece moved, a whole game; the basic one."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import moves

TURNS = """
a5/b5/c5 b2/b3/b4 d5/e5/f5 b7/b8/c9 g5/h5/i5 d1/e1/e2 j6/k7/l8 d8/d9/e10 n10/m9/o11 n11/n12/n13 p14/p15/q15
b2-b2/c2/d2 p14-p12/q12/q13
"""
TYPED = {
    "a5/b5/c5": "E: a5, b5, c5",
    "b2/b3/b4": "b2 b3 b4",
    "d8/d9/e10": "angolo L in d8 d9 e10",
    "b2-b2/c2/d2": "B2 - b2 c2 d2",
}


def said(who: Correspondent) -> str:
    """The newest letter, with single blanks."""
    return " ".join(who.letter.text.split())


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno punct first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "h8/h9/h10").verdict != "ok"
    assert "No piece can be placed on the centre, only moved there: h8, h9 and h10." in said(alice)
    for ply, move in enumerate(TURNS.split()):
        who = (alice, bruno)[ply % 2]
        if ply == 1:
            assert "colloca un dritto E in a5/b5/c5" in said(bruno)
            assert bruno.answers(bruno.letter, "b2 b3").verdict != "ok"
            assert "Disposto come? Scrivi una di queste: b2/b3/c3, b2/b1/b3," in said(bruno)
        if ply == 12:
            assert "turns a straight E on b2: b2/c2/d2" in said(alice)
            assert alice.answers(alice.letter, "p14-p12").verdict != "ok"
            assert "Which way round? Write one of these:" in said(alice)
            assert alice.answers(alice.letter, f"TRY {move}").verdict == "ok"
            assert "Alice has joined two opposite sides and wins." in said(alice)
        assert who.answers(who.letter, TYPED.get(move, move)).verdict == "ok", move
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "joined")
    assert moves(match) == TURNS.split()
    assert "Alice has joined two opposite sides and wins." in said(alice)
    assert "Alice ha unito due lati opposti e vince." in said(bruno)
    assert all(len(line) <= 72 for line in alice.letter.text.splitlines() if "://" not in line)


def test_the_basic_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.writes("SFIDA Alice pünct basic secondo").verdict == "ok"
    assert "the centre open, and no end by the last piece" in said(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get().game_name == "punct:basic"
    assert alice.answers(alice.letter, "a5/b5/c5").verdict == "ok"
    assert bruno.answers(bruno.letter, "h8/h9/h10").verdict == "ok"
