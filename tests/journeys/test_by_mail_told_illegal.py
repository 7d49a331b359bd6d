"""An illegal move in words of one's own: what the rules say against it, beside what can be played."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped

Begin = Callable[..., Match]

TOLD = {
    "B8 takes C3.": "b8 and c3 are not on one row, column or diagonal",
    "Ha, my man on b8 goes to b4 now": "exactly as many squares as there are men on that line, 2, and not 4",
}


@pytest.mark.parametrize("said", TOLD)
def test_the_reason_is_told(loa: Match, alice: Correspondent, said: str) -> None:
    assert alice.answers(alice.letter, said).verdict in (Code.NO_MOVE_FOUND, Code.ILLEGAL_MOVE)
    assert TOLD[said] in unwrapped(alice.letter.text)


def test_who_asks_why_a_move_was_refused_is_told(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "Why was b1-b4 refused? I see nothing in the way.")
    assert "exactly as many squares as there are men on that line" in unwrapped(alice.letter.text)


def test_who_only_names_two_cells_is_told_none(loa: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "I thought about b8 and c3 all day long")
    assert "The reason" not in alice.letter.text


def test_where_a_man_can_go_is_told_as_an_answer(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "How far can the one on d1 go?")
    told = unwrapped(alice.letter.text)
    assert "Your legal moves with d1: d1-d3 · d1-f3 · d1-b3" in told
    assert "did not understand" not in told


@pytest.mark.parametrize(
    "said",
    [
        "a4-d4 hope that works",
        "a4-d4 hope that works\n\nI resign if not",
        "a4-d4, off to Portugal on Friday, ten days of sardines and doing nothing.",
        "a4-d4 I am away next week",
    ],
)
def test_beside_a_move_that_cannot_be_played_no_command_is_guessed(
    begin: Begin, alice: Correspondent, said: str
) -> None:
    begin("loa")
    assert alice.answers(alice.letter, said).verdict in (Code.NO_MOVE_FOUND, Code.ILLEGAL_MOVE)
    told = unwrapped(alice.letter.text)
    assert alice.letter.kind == "refused"
    assert "The man on a4 is your opponent's." in told
    assert "Did you mean" not in told
    assert "Write it like this" not in told


def test_a_mistyped_command_before_a_move_is_still_told(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "resgin12")
    assert "Did you mean one of these? RESIGN" in unwrapped(alice.letter.text)
