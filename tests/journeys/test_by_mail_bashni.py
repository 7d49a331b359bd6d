"""A whole game of Bashni by mail, in both languages: steps, chains, kings, a compulsory capture, the last column."""

from itertools import cycle

from games.protocol import Side
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import moves

GAME = [
    *(
        "c3-d4",
        "d6-e5",
        "d2-c3",
        "e7-d6",
        "e1-d2",
        "h6-g5",
        "e3-f4",
        "g5xe3xc5",
        "g3-f4",
        "e5xg3xe1",
        "c3-b4",
    ),
    *(
        "e1xc3xa5",
        "c1-d2",
        "a5xe1",
        "a3-b4",
        "c5xa3xc1",
        "g1-f2",
        "e1xh4",
        "a1-b2",
        "c1xa3",
        "h2-g3",
        "h4xf2",
    ),
]
TYPED = {"g5xe3xc5": "g5:c5", "c3-b4": "c3 b4", "e1xh4": "E1:H4"}


def test_until_one_side_leads_every_column(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno dama a colonne first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    for ply, (who, move) in enumerate(zip(cycle((alice, bruno)), GAME, strict=False)):
        if ply == 0:
            assert alice.answers(alice.letter, "c3-e5").verdict == Code.ILLEGAL_MOVE
            assert "A man steps one square, so not from c3 to e5" in " ".join(alice.letter.text.split())
        if ply == 7:
            assert "La presa è obbligatoria." in " ".join(bruno.letter.text.split())
            assert bruno.answers(bruno.letter, "d6-c5").verdict == Code.ILLEGAL_MOVE
            said = "La presa è obbligatoria: da g5 puoi saltare a e3 e poi a c5."
            assert said in " ".join(bruno.letter.text.split())
        assert who.answers(who.letter, TYPED.get(move, move)).verdict == "ok"
        if ply == 9:
            told = "takes 2 white men by jumping from e5 to g3 and on to e1 and gets a king"
            assert told in " ".join(alice.letter.text.split())
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, Side.SECOND, "all_taken")
    assert moves(match) == GAME
    for who, end in (
        (alice, "Bruno leads every column"),
        (bruno, "Tutte le colonne sul tavoliere sono di Bruno"),
    ):
        assert who.letter.kind == "result"
        assert end in " ".join(who.letter.text.split())
        assert all(len(line) <= 72 for line in who.letter.text.splitlines() if "://" not in line)
        assert f"bashni-{match.pk}.json" in who.letter.attachments
