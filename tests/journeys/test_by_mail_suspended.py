"""A suspended player, by mail: their matches go on, but they begin none and write to nobody."""

import pytest

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post


@pytest.fixture
def suspended(loa: Match, alice: Correspondent, bruno: Correspondent, post: Post) -> Match:
    """Alice is to move, and her account is suspended; so is Bruno's."""
    Player.objects.update(suspended_at=post.now)
    return loa


def test_he_moves_and_his_words_go_to_nobody(
    suspended: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "b1-b3\n\nYou are a fool!").verdict == Code.SUSPENDED
    suspended.refresh_from_db()
    assert suspended.ply == 1
    [receipt] = alice.reads()
    assert "Your account is suspended" in receipt.text
    [turn] = bruno.reads()
    assert "fool" not in turn.text
    assert bruno.answers(turn, "a2-c2").verdict == "ok"
    alice.reads()
    assert alice.answers(alice.letter, "RESIGN").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"
    suspended.refresh_from_db()
    assert suspended.status == "over"


@pytest.mark.parametrize(
    "line",
    ["OFFER loa", "JOIN 1", "SAY Hello, fool", "MESSAGE Charlie: you too", "AWAY TO 20 May 2026, fool"],
)
def test_he_begins_nothing_and_tells_nobody(
    suspended: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, line: str
) -> None:
    assert alice.writes(line).verdict == Code.SUSPENDED
    assert "write to anybody" in " ".join(alice.letter.text.split())
    assert bruno.reads() == charlie.reads() == []


def test_he_accepts_no_challenge_but_may_decline_it(
    alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    for _ in range(2):
        alice.writes("CHALLENGE Bruno loa first")
    *_, first, second = bruno.letters
    Player.objects.filter(name="Bruno").update(suspended_at=post.now)
    assert bruno.answers(first, "SÌ").verdict == Code.SUSPENDED
    assert "Il tuo account è sospeso" in " ".join(bruno.letter.text.split())
    assert bruno.answers(second, "RIFIUTO sei uno sciocco").verdict == Code.SUSPENDED
    assert bruno.answers(second, "NO").verdict == "ok"
    assert sorted(Match.objects.values_list("status", flat=True)) == ["declined", "proposed"]


def test_what_he_asked_before_is_not_begun_after(
    alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    alice.writes("CHALLENGE Bruno loa first", dmarc="none")
    question = alice.letter
    Player.objects.filter(name="Alice").update(suspended_at=post.now)
    assert alice.answers(question, "YES").verdict == Code.SUSPENDED
    assert bruno.reads() == []


def test_he_asks_for_no_return_match_and_grants_none(
    loa: Match, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    bruno.answers(bruno.letter, "RIVINCITA")
    asked = alice.letter
    Player.objects.update(suspended_at=post.now)
    assert alice.answers(asked, "YES").verdict == Code.SUSPENDED
    assert alice.answers(asked, "REMATCH").verdict == Code.SUSPENDED
    assert sorted(Match.objects.values_list("status", flat=True)) == ["over", "proposed"]
