"""A person whose program writes as if to many is read where the reply address proves it, and asked elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]
LIST = {
    "List-Id": "<staff.example.org>",
    "List-Unsubscribe": "<mailto:off@example.org>",
    "Precedence": "list",
}
BULK = {"Precedence": "bulk"}


def played(match: Match) -> list[str]:
    return [turn.move for turn in match.live_turns()]


@pytest.mark.parametrize("headers", [LIST, BULK])
def test_a_move_in_answer_to_the_turn_is_played(
    begin: Begin, alice: Correspondent, headers: dict[str, str]
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3", headers=headers).verdict == "ok"
    assert played(match) == ["b1-b3"]


def test_words_in_answer_to_the_turn_are_heard_but_an_absence_of_an_old_program_is_not(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    said = "We had guests all week, and my mother sends her love."
    assert alice.answers(alice.letter, said, headers=LIST).verdict == "ok"
    assert said in bruno.letter.text
    bruno.reads()
    away = alice.answers(alice.letter, "I am out of the office until Monday.", headers=BULK)
    assert (away.verdict, bruno.reads()) == (Code.AUTO_REPLY, [])


def test_elsewhere_it_is_asked_about(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    assert alice.writes(f"{match.pk} b1-b3", headers=LIST).verdict == Code.CONFIRM_NEEDED
    assert played(match) == []
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert played(match) == ["b1-b3"]


@pytest.mark.parametrize("dmarc", ["none", "fail"])
def test_nobody_is_answered_for_whom_no_provider_vouches(
    begin: Begin, alice: Correspondent, dmarc: str
) -> None:
    match = begin("loa")
    alice.reads()
    assert alice.writes(f"{match.pk} b1-b3", headers=LIST, dmarc=dmarc).verdict == Code.LIST_MAIL
    assert (played(match), alice.reads()) == ([], [])


def test_a_stranger_behind_a_list_is_a_list(stranger: Correspondent) -> None:
    assert stranger.writes("HELP", headers=LIST).verdict == Code.LIST_MAIL
    assert stranger.letters == []
