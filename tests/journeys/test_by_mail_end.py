"""How a match ends, and nearly: forced passes, repetition, offers, resignation, the record."""

import re

import pytest

from games.export import from_json
from games.protocol import Side
from pbem.matches.models import Event, Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import moves


def at(match: Match, picture: str, to_move: str) -> None:
    """Let the match stand here; the record does not say how it came to."""
    rows = [row.replace(" ", "").lower() for row in picture.strip().splitlines()]
    board = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
    position = match.game.position(match.rules, f"{board} {to_move}")
    Match.objects.filter(pk=match.pk).update(position=str(position), to_move=int(position.to_move))


def sections(who: Correspondent) -> list[str]:
    """What their newest letter is made of."""
    return [section["kind"] for section in who.player.letters.latest("pk").sections]


# White's two men sit in corners; whichever way they look, a black man stands in the way.
STUCK = """
    . . . . . . O X
    . . . . . . O O
    . . . . . . . .
    . . O . . . . .
    . . . . . . . .
    . . . . . . . .
    O O . . . . . .
    X O . . . . . .
"""


def test_a_forced_pass_is_played_by_the_service(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Alice moves, Bruno's turn passes in the same breath, and it is hers again."""
    at(loa, STUCK, to_move="o")
    assert alice.answers(alice.letter, "c5-d5").verdict == "ok"
    assert moves(loa) == ["c5-d5", "pass"]
    loa.refresh_from_db()
    assert (loa.ply, loa.to_move) == (2, Side.FIRST)
    assert Event.objects.filter(kind=Event.Kind.MOVED).count() == 1
    [receipt], [turn] = alice.reads(), bruno.reads()
    assert (receipt.kind, turn.kind) == ("played", "turn")
    assert bruno.answers(turn, "a1-a3").verdict == Code.NOT_YOUR_TURN
    assert alice.answers(receipt, "d5-c5").verdict == "ok"
    assert moves(loa) == ["c5-d5", "pass", "d5-c5", "pass"]


@pytest.mark.prove
def test_the_third_time_is_a_draw(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """There and back, twice: the first position has occurred three times."""
    shuffle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2
    for ply, move in enumerate(shuffle):
        who = (alice, bruno)[ply % 2]
        assert who.writes(f"{loa.pk} {move}").verdict == "ok"
    loa.refresh_from_db()
    assert (loa.status, loa.winner, loa.reason) == (Match.Status.OVER, None, "repetition")
    assert loa.ply == 8
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")
    assert bruno.writes(f"{loa.pk} b1-b3").verdict == Code.MATCH_OVER


@pytest.mark.parametrize("answer", ["SÌ, PATTA", "PATTA", "ACCETTO PATTA"])
def test_a_draw_offered_with_a_move_and_accepted(
    zertz: Match, alice: Correspondent, bruno: Correspondent, answer: str
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    assert sections(bruno) == ["turn", "offer"]
    assert bruno.answers(bruno.letter, answer).verdict == "ok"
    zertz.refresh_from_db()
    assert (zertz.status, zertz.winner, zertz.reason) == (Match.Status.OVER, None, "agreed")
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")


def test_a_draw_declined(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    alice.reads()
    assert bruno.answers(bruno.letter, "NO").verdict == "ok"
    assert alice.kinds() == ["rejected"]
    zertz.refresh_from_db()
    assert (zertz.status, zertz.draw_offered_by) == (Match.Status.PLAYING, None)


def test_an_offer_is_gone_with_the_next_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    offer = bruno.letter
    bruno.answers(offer, "Be5, a2")
    assert bruno.answers(offer, "SÌ").verdict == Code.OFFER_GONE
    zertz.refresh_from_db()
    assert zertz.status == Match.Status.PLAYING


def test_nobody_accepts_his_own_offer(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "DRAW").verdict == "ok"
    assert alice.answers(alice.letter, "YES").verdict == Code.OFFER_GONE


def test_resigning_is_asked_about_first(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, "RESIGN\nGood game!").verdict == Code.CONFIRM_NEEDED
    assert bruno.kinds() == []
    [question] = alice.reads()
    assert question.text.startswith(f"Resign match {zertz.pk} (Zèrtz) against Bruno?")
    assert "in your name" not in question.text
    assert alice.answers(question, "YES RESIGN").verdict == "ok"
    zertz.refresh_from_db()
    assert (zertz.status, zertz.winner, zertz.reason) == (Match.Status.OVER, 1, "resigned")
    assert (alice.kinds(), bruno.kinds()) == (["result"], ["result"])
    assert "Good game!" in bruno.letter.text


def test_resigning_after_all_not(zertz: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "RESIGN")
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.status == Match.Status.PLAYING


def test_the_result_letters_carry_the_record(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "DICO: Devo andare\nABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    for who in (alice, bruno):
        [text, written] = [who.letter.attachments[f"zertz-{zertz.pk}.{form}"] for form in ("txt", "json")]
        record = from_json(written)
        assert record.moves == ("Wd4,a1",)
        assert len(record.replay()) == 2
        assert record.result is not None
        assert record.result.reason == "resigned"
        assert "Alice" in text


def test_nothing_moves_when_the_match_is_over(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    last = bruno.letter
    bruno.answers(last, "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    for body in ("Be5, a2", "PATTA"):
        assert bruno.answers(bruno.letter, body).verdict == Code.MATCH_OVER
    assert bruno.answers(bruno.letter, "SÌ").verdict == Code.OFFER_GONE
    assert moves(zertz) == ["Wd4,a1"]


def test_without_receipts_only_the_opponent_hears_of_a_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    Player.objects.filter(name="Alice").update(receipts=False)
    alice.answers(alice.letter, "Wd4, a1")
    assert (alice.kinds(), bruno.kinds()) == ([], ["turn"])
