"""Below a move somebody asks what only we can answer: we do; the opponent may have been asked, and reads it too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.post import Correspondent

Begin = Callable[..., Match]


def text(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def heard(who: Correspondent) -> str:
    return " ".join(" ".join(letter.text.split()) for letter in who.reads())


def moves(match: Match) -> list[str]:
    return [turn.move for turn in match.turns.order_by("ply")]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("How much time do I have left?", "Nobody's time is limited in this match."),
        ("what are the rules for captures again?", "IN FULL"),
    ],
)
def test_what_only_reads_is_answered(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, told: str
) -> None:
    match = begin("loa")
    bruno.reads()
    alice.reads()
    row = alice.answers(alice.letter, f"b8-b6\n\n{said}")
    assert (row.verdict, moves(match)) == ("ok", ["b8-b6"])
    assert told in heard(alice)
    assert f"| {said}" in bruno.letter.text


def test_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
    bruno.reads()
    row = bruno.answers(bruno.letter, "a2-c2\n\nquanto tempo mi resta per muovere?")
    assert (row.verdict, moves(match)) == ("ok", ["b1-b3", "a2-c2"])
    assert "il tempo non è limitato per nessuno" in heard(bruno)
    assert "| quanto tempo mi resta per muovere?" in alice.letter.text


def test_a_setting_is_asked_about_and_the_move_is_played(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    bruno.reads()
    row = alice.answers(alice.letter, "b8-b6\n\nCan I get a text only board?")
    assert (row.verdict, moves(match)) == (Code.CONFIRM_NEEDED, ["b8-b6"])
    assert "SET LETTERS text" in text(alice)
    assert "| Can I get a text only board?" in bruno.letter.text
    assert alice.answers(alice.letter, "yes").verdict == "ok"
    assert "LETTERS: text" in text(alice)
    assert moves(match) == ["b8-b6"]


def test_talk_below_a_move_brings_nothing(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    bruno.reads()
    alice.reads()
    assert alice.answers(alice.letter, "b8-b6\n\nHow is your mother? Nice weather here.").verdict == "ok"
    assert [letter.kind for letter in alice.reads()] == ["played"]
