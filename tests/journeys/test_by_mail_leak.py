"""A reply address in wrong hands, and keys that are changed: what dies, what lives on, and who is told."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from pbem.inbox.resolver import resolve_recipient
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, play_address

MOVE = "Wd4, a1"
ONE, TWO = "1:" + "5a" * 32, "2:" + "c3" * 32


def played(match: Match) -> int:
    match.refresh_from_db()
    return match.ply


# -- forwarded letters -------------------------------------------------------------------------------


def test_a_friend_answers_the_letter_that_was_forwarded_to_him(
    zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """Anyone who has the letter has the reply address in it; that does not make them Alice."""
    assert charlie.answers(alice.letter, f"{MOVE}\nWhat a nice game!").verdict == Code.FROM_MISMATCH
    assert charlie.letters == []
    assert bruno.kinds() == []
    [question] = alice.reads()
    assert "charlie@example.org" in question.text
    assert MOVE in question.text
    arrived = alice.post.now
    alice.post.wait(hours=20)
    assert alice.answers(question, "YES").verdict == "ok"
    assert zertz.turns.get().played_at == arrived
    assert charlie.letters == []
    assert alice.kinds() == ["played"]
    [turn] = bruno.reads()
    assert "What a nice game!" in turn.text


def test_alice_forwards_her_letter_and_answers_from_play(zertz: Match, alice: Correspondent) -> None:
    """From another program of hers, to play@: her provider says who, the number which match."""
    letter = alice.letter
    named = {"References": str(letter.message["Message-ID"])}
    assert (
        alice.writes(MOVE, subject=f"Fwd: {letter.subject}", dmarc="", headers=named).verdict
        == Code.CONFIRM_NEEDED
    )
    assert alice.writes(MOVE, subject=f"Fwd: {letter.subject}", headers=named).verdict == Code.CONFIRM_NEEDED
    numbered = f"{zertz.pk} {MOVE}"
    assert alice.writes(numbered, subject=f"Fwd: {letter.subject}", headers=named).verdict == "ok"
    assert played(zertz) == 1


def test_a_friend_who_answers_to_play_is_a_stranger(zertz: Match, alice: Correspondent) -> None:
    friend = Correspondent(alice.post, "Dora", "dora@example.org")
    assert friend.answers(alice.letter, MOVE, to=play_address(), dmarc="none").verdict == Code.UNVERIFIED
    assert friend.letters == []
    assert alice.kinds() == []
    assert played(zertz) == 0


# -- a reply address that leaked ---------------------------------------------------------------------


@pytest.mark.parametrize("held", ["another address", "a forged one"])
def test_no_to_a_held_letter_takes_the_reply_address_back(
    zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, held: str
) -> None:
    leaked = alice.letter
    if held == "a forged one":
        assert alice.answers(leaked, MOVE, dmarc="fail").verdict == Code.DMARC_FAIL
    else:
        assert charlie.answers(leaked, MOVE).verdict == Code.FROM_MISMATCH
    [question] = alice.reads()
    assert alice.answers(question, "NO").verdict == "ok"

    [renewed] = alice.reads()
    assert renewed.kind == "renewed"
    assert renewed.reply_to not in (leaked.reply_to, play_address())
    assert "Wd4" not in renewed.text.partition("Answer this letter with your move")[0]
    assert renewed.message.get_content_type() == "multipart/alternative"  # the board of now, with its picture

    for _ in range(2):
        assert charlie.answers(leaked, MOVE).verdict == Code.REVOKED
    assert alice.answers(leaked, MOVE).verdict == Code.REVOKED
    assert alice.kinds() == ["notice"]
    assert (charlie.letters, bruno.kinds(), played(zertz)) == ([], [], 0)

    assert alice.answers(renewed, MOVE).verdict == "ok"
    assert (played(zertz), bruno.kinds()) == (1, ["turn"])


def test_the_opponent_keeps_his_reply_address(
    zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.answers(alice.letter, MOVE)
    charlie.answers(alice.letter, "DRAW")
    alice.answers(alice.letter, "NO")
    assert bruno.answers(bruno.letter, "Bb5, d7").verdict == "ok"


def test_the_second_no_about_the_same_leak_changes_nothing_more(
    zertz: Match, alice: Correspondent, charlie: Correspondent
) -> None:
    leaked = alice.letter
    charlie.answers(leaked, MOVE)
    charlie.answers(leaked, "DRAW")
    questions = alice.reads()
    assert [question.kind for question in questions] == ["confirm", "confirm"]
    for question in questions:
        assert alice.answers(question, "NO").verdict == "ok"
    assert alice.kinds() == ["renewed"]


def test_each_leak_brings_its_own_notice(zertz: Match, alice: Correspondent, charlie: Correspondent) -> None:
    for _ in range(2):
        leaked = [letter for letter in alice.letters if letter.kind in ("turn", "renewed")][-1]
        charlie.answers(leaked, MOVE)
        alice.answers(alice.letter, "NO")
        assert charlie.answers(leaked, MOVE).verdict == Code.REVOKED
        assert alice.kinds() == ["confirm", "renewed", "notice"]


@pytest.mark.parametrize("strict", [False, True])
def test_no_to_a_letter_of_her_own_takes_nothing_back(
    zertz: Match, alice: Correspondent, strict: bool
) -> None:
    """She has thought better of it; or her provider does not vouch for her, and she asked to be asked."""
    Player.objects.filter(name="Alice").update(strict=strict)
    letter = alice.letter
    assert alice.answers(letter, "DRAW" if strict else "RESIGN", dmarc="").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    assert alice.kinds() == ["confirm", "answered"]
    assert alice.answers(letter, MOVE).verdict == "ok"


# -- keys --------------------------------------------------------------------------------------------


def test_a_new_key_seals_and_the_old_one_still_opens_until_it_is_taken_away(
    settings: Settings, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    of_key_one = alice.letter
    settings.MAIL_TOKEN_KEYS = f"{ONE},{TWO}"
    assert alice.answers(of_key_one, MOVE).verdict == "ok"
    of_key_two = bruno.letter

    settings.MAIL_TOKEN_KEYS = TWO
    assert resolve_recipient(of_key_one.reply_to, alice.post.now) is None  # the door says 550
    assert bruno.answers(of_key_two, "Bb5, d7").verdict == "ok"
    assert played(zertz) == 2
