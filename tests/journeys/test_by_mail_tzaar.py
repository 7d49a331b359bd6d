"""TZAAR by letters in both languages: pieces placed, illegal turns explained, a whole game with its win."""

from games.protocol import Side
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent


def said(who: Correspondent) -> str:
    """The newest letter, with single blanks."""
    return " ".join(who.letter.text.split())


def test_turns_of_two_actions_and_what_is_wrong_with_some(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno tzaar first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "a5xa4,d7xd8").verdict != "ok"
    assert "White's first turn is one capture and nothing else." in said(alice)
    assert alice.answers(alice.letter, "a5-a4").verdict == "ok"
    assert "cattura un Tott nero in a4 da a5" in said(bruno)
    assert bruno.answers(bruno.letter, "b4xa4,a3xa4").verdict != "ok"
    assert "La pila in a4 è tua: ci si sale sopra, e si scrive con un +." in said(bruno)
    assert bruno.answers(bruno.letter, "b4xa4, a3+a4").verdict == "ok"
    assert "captures a white Tott on a4 from b4 and moves from a3 onto a4" in said(alice)
    assert alice.answers(alice.letter, "TRY b5xa4").verdict == "ok"
    assert "The stack on b5 is 1 high and cannot capture the one on a4, 2 high." in said(alice)


def test_pieces_may_be_placed(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno tzaar:free first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert alice.answers(alice.letter, "Zc4").verdict == "ok"
    assert "colloca uno Tzaar bianco in c4" in said(bruno)
    assert bruno.answers(bruno.letter, "a d2").verdict == "ok"
    assert "places a black Tzarra on d2" in said(alice)


MOVES = """
d5xc4 g3xg4,e5+f6 c2xc3,d7xe6 e7xe6,f1+g1 e3xf3,f5xg4
"""


def test_a_whole_game(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno tzaar first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, move in enumerate(MOVES.split()):
        who = (alice, bruno)[ply % 2]
        assert who.answers(who.letter, move).verdict == "ok"
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.FIRST, "no_z")
    assert "Bruno has no Tzaar left, and Alice wins." in said(alice)
    assert "Bruno non ha più Tzaar: vince Alice." in said(bruno)
