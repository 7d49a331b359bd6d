"""How much is enough, and whom one would rather not meet: by letters, and nobody is told."""

import pytest

from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match
from pbem.players.blocks import may_write_to
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped
from tests.players_fixtures import Begin


def test_a_limit_keeps_challenges_away_and_can_be_taken_back(
    alice: Correspondent, bruno: Correspondent, begin: Begin
) -> None:
    begin("loa")
    assert bruno.writes("LIMITE loa 1").verdict == "ok"
    assert "Lines of Action: niente sfide quando è in corso 1 partita." in bruno.letter.text
    assert alice.writes("CHALLENGE Bruno loa").verdict == Code.NOT_NOW
    assert "is not accepting such challenges" in unwrapped(alice.letter.text)
    assert alice.writes("CHALLENGE Bruno zertz").verdict == "ok"
    assert bruno.writes("LIMITE loa NESSUNO").verdict == "ok"
    assert "Non hai messo limiti" in bruno.letter.text
    assert alice.writes("CHALLENGE Bruno loa").verdict == "ok"


def test_whoever_is_refused_reads_the_same_as_at_a_limit(alice: Correspondent, bruno: Correspondent) -> None:
    answers = []
    for wish in ("RIFIUTO Alice", "AMMETTO alice\nLIMITE zertz 0"):
        assert bruno.writes(wish).verdict == "ok"
        assert alice.writes("CHALLENGE Bruno zertz").verdict == Code.NOT_NOW
        answers.append(alice.letter.text)
    assert answers[0] == answers[1]
    assert {letter.kind for letter in bruno.letters} == {"limits"}


def test_alice_refuses_one_game_blocks_and_allows_again(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("REFUSE bruno zertz").verdict == "ok"
    assert "Bruno: no challenges to Zèrtz." in alice.letter.text
    assert bruno.writes("SFIDA Alice zertz").verdict == Code.NOT_NOW
    assert bruno.writes("SFIDA Alice loa").verdict == "ok"
    assert alice.writes("BLOCK Bruno").verdict == "ok"
    assert "Bruno: neither challenges nor messages." in alice.letter.text
    assert bruno.writes("SFIDA Alice loa").verdict == Code.NOT_NOW
    assert not may_write_to(bruno.player, alice.player)
    assert alice.writes("ALLOW Bruno").verdict == "ok"
    assert "refuse nobody" in alice.letter.text
    assert bruno.writes("SFIDA Alice zertz").verdict == "ok"


def test_in_a_reply_a_name_after_rifiuto_is_a_reason(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    assert bruno.answers(bruno.letter, "RIFIUTO Alice").verdict == "ok"
    assert Match.objects.get().status == Match.Status.DECLINED
    alice.writes("CHALLENGE Bruno loa")
    assert bruno.answers(bruno.letter, "ESCLUDO Alice").verdict == "ok"
    assert alice.writes("CHALLENGE Bruno loa").verdict == Code.NOT_NOW


def test_limits_are_listed_in_both_languages(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("LIMIT 10\nLIMITS").verdict == "ok"
    assert "All games: no challenges once 10 matches are running." in unwrapped(alice.letter.text)
    assert bruno.writes("BLOCCO alice\nLIMITI").verdict == "ok"
    assert "Alice: né sfide né messaggi." in bruno.letter.text
    assert bruno.writes("BLOCCO Nobody").verdict == Code.NO_SUCH_PLAYER


@pytest.mark.prove
def test_there_is_an_end_to_challenging_in_a_day(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    most = CAPS["challenges"].most
    assert alice.writes("CHALLENGE Bruno zertz:nonsense").verdict == Code.NO_SUCH_GAME  # is not counted
    for _ in range(0, most, 10):
        assert (
            alice.writes("\n".join(f"CHALLENGE Bruno loa{' black' * n}" for n in range(10))).verdict == "ok"
        )
    assert Match.objects.count() == most
    assert alice.writes("CHALLENGE Bruno gemma").verdict == Code.TOO_MANY_CHALLENGES
    assert "tomorrow" in unwrapped(alice.letter.text)
    post.wait(days=1)
    assert alice.writes("CHALLENGE Bruno gemma").verdict == "ok"
