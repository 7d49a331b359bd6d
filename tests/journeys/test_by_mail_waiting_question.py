"""A plain yes or no to another letter of the match than the one that asks: the question that waits is answered."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


@pytest.mark.parametrize("said", ["Yes.", "yes please", "Sì! :)"])
def test_a_yes_to_an_older_letter_answers_the_question(begin: Begin, alice: Correspondent, said: str) -> None:
    match = begin("loa")
    board = alice.letter
    assert alice.answers(board, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(board, said).verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]


def test_a_no_closes_it(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    board = alice.letter
    alice.answers(board, "then b1-b3")
    alice.answers(board, "No, sorry.")
    assert Confirmation.objects.get().agreed is False
    assert not match.live_turns()


def test_a_yes_that_nobody_vouches_for_brings_the_question_again(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    board = alice.letter
    alice.answers(board, "then b1-b3")
    assert alice.answers(board, "Yes.", dmarc="none").verdict == Code.CONFIRM_NEEDED
    assert "b1-b3" in alice.letter.text
    assert not match.live_turns()


@pytest.mark.parametrize("said", ["Great!", "Yes, what a week.", "Yes, indeed.", "Sì, esatto!"])
def test_what_says_more_or_only_praises_is_talk(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    board = alice.letter
    alice.answers(board, "then b1-b3")
    alice.answers(board, said)
    assert said in bruno.letter.text
    assert not match.live_turns()


def test_where_nothing_waits_it_is_talk(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    assert alice.answers(alice.letter, "Yes, indeed.").verdict == "ok"
    assert "Yes, indeed." in bruno.letter.text


def test_a_bare_yes_resigns_no_match_and_brings_the_question_again(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    board = alice.letter
    alice.answers(board, "I want to resign now")
    asked = alice.letter
    assert alice.answers(board, "Yes.").verdict == Code.CONFIRM_NEEDED
    assert alice.letter.subject == asked.subject
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert bruno.reads() == []
    assert alice.answers(board, "YES RESIGN").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_in_a_match_against_a_robot_too(alice: Correspondent) -> None:
    alice.writes("CHALLENGE Robot-1 loa first")
    board = alice.letter
    assert alice.answers(board, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(board, "Yes").verdict == "ok"
    assert [turn.move for turn in Match.objects.get().live_turns()] == ["b1-b3"]
