"""YINSH by letters in both languages: rings placed, a row asked for, turns tried, a whole game with its win."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent

RINGS = "e4 e7 g6 g7 d5 c4 f7 e8 f5 f6"
TURNS = "d5-c5 c4-e6 c5-c3 e7-d6 f7-d7 e6-g8 f5-b5 d6-d4 b5-e5 f6-f4"
LAST = "e5-g5;xb5-f5;xc3"


def said(who: Correspondent) -> str:
    """The newest letter, with single blanks."""
    return " ".join(who.letter.text.split())


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno yinsh:blitz first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    players = alice, bruno
    assert alice.answers(alice.letter, "e4-e5").verdict != "ok"
    assert "All rings are placed first; still to place: 10." in said(alice)
    for ply, ring in enumerate(RINGS.split()):
        assert players[ply % 2].answers(players[ply % 2].letter, ring).verdict == "ok", ring
    assert "places a black ring on f6" in said(alice)
    assert "colloca un anello bianco in f5" in said(bruno)
    assert alice.answers(alice.letter, "f5-f3").verdict == "ok"
    match = Match.objects.get()
    assert [turn.move for turn in match.live_turns()][-1] == "f5-f3"
    assert bruno.answers(bruno.letter, "e7-e4").verdict != "ok"
    assert "In e4 c'è già un anello o un segnalino." in said(bruno)


def test_the_row_is_asked_for_and_wins(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno yinsh:blitz first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, move in enumerate(f"{RINGS} {TURNS}".split()):
        who = (alice, bruno)[ply % 2]
        assert who.answers(who.letter, move).verdict == "ok", move
    assert alice.answers(alice.letter, "e5-g5").verdict != "ok"
    assert "This makes a row, which must be taken off with a ring. Which row? b5-f5." in said(alice)
    assert alice.answers(alice.letter, "e5-g5;xb5-f5").verdict != "ok"
    assert "Which ring? c3, e4, d7, g5 and g6." in said(alice).replace("c3, d7, e4,", "c3, e4, d7,")
    assert alice.answers(alice.letter, f"TRY {LAST}").verdict == "ok"
    assert "takes off the row b5-f5 and the ring on c3" in said(alice)
    assert alice.answers(alice.letter, "e5-g5; xb5-f5; xc3").verdict == "ok"
    match = Match.objects.get()
    assert match.live_turns()[20].move == LAST
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "rings")
    assert "Alice has taken off the last ring needed and wins." in said(alice)
    assert "Alice ha rimosso l'ultimo anello che serviva e vince." in said(bruno)
