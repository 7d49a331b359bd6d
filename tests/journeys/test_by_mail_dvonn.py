"""DVONN by letters in both languages: placing, illegal moves explained, skipped turns, the end."""

from games.dvonn.board import POINTS
from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent


def said(who: Correspondent) -> str:
    """The newest letter, with single blanks."""
    return " ".join(who.letter.text.split())


def test_pieces_are_placed_and_stacks_moved(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno dvonn first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    players = alice, bruno
    assert alice.answers(alice.letter, "a1-a2").verdict != "ok"
    assert "Stacks move only when all pieces are placed; still to place: 49." in said(alice)
    for ply, point in enumerate(POINTS):
        assert players[ply % 2].answers(players[ply % 2].letter, point).verdict == "ok", point
    match = Match.objects.get()
    assert (match.ply, match.to_move) == (50, Side.FIRST), "Black's turn is skipped"
    assert "All pieces are" in said(alice)
    assert "25. k5 pass" in said(alice)
    assert "colloca un pezzo bianco in k5" in said(bruno)
    assert alice.answers(alice.letter, "b3-c3").verdict != "ok"
    assert "has neighbours on all six sides and cannot move" in said(alice)
    assert alice.answers(alice.letter, "i1 j2").verdict == "ok"
    assert "muove la pila di 1 da i1 a j2" in said(bruno)


SETUP = "wwrwwbrwbwwbbbrwbbwwbwbbbwwwbbbwbwbbwbwwbbbbwwwbw"
MOVES = """
    g5-h5 k3-k4 b1-b2 j3-j4 d1-e1 e5-d4 h5-f5 i1-h1 e1-g3 d2-e2 a2-a1 d5-c4 i3-h3 i4-h3 f5-c2 i2-j2 a3-b3 b4-c5
    h4-g3 h1-f1 b3-d3 c5-c3 e4-f4 e3-f3 d3-g3 g4-f4 b2-d4 c4-c2 pass f4-c1 pass e2-c2 pass f3-h3 pass c1-g1 pass
    h2-h3 g2-h3
"""


def test_a_whole_game_with_passes(alice: Correspondent, bruno: Correspondent) -> None:
    """White passes five times, and then plays the last move and wins."""
    assert alice.writes(f"CHALLENGE Bruno dvonn:random first setup={SETUP}").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, move in enumerate(MOVES.split()):
        if move != "pass":
            who = (alice, bruno)[ply % 2]
            assert who.answers(who.letter, move).verdict == "ok"
    match = Match.objects.get()
    assert [turn.move for turn in match.live_turns()] == MOVES.split()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "more")
    assert "Alice holds more pieces and wins" in said(alice)
    assert "Alice ha più pezzi e vince" in said(bruno)
    assert "isola" in " ".join(letter.text for letter in bruno.letters)
