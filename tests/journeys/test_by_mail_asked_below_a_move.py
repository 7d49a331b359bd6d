"""Below a move somebody asks what only we can answer: we do; the opponent may have been asked, and reads it too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

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
    assert "A YES changes this setting of yours. LETTERS: With pictures, or text" in heard(alice)
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


@pytest.mark.parametrize(
    ("said", "told", "words"),
    [
        ("b8-b6. How much time do I have left?", "Nobody's time is limited", "How much time do I have left?"),
    ],
)
def test_in_the_line_of_the_move_it_is_answered_with_the_move(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, told: str, words: str
) -> None:
    match = begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert moves(match) == ["b8-b6"]
    assert told in heard(alice)
    assert f"| {words}" in bruno.letter.text


def test_in_the_line_of_the_move_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
    assert bruno.answers(bruno.letter, "a2-c2. Quanto tempo mi resta?").verdict == "ok"
    assert moves(match) == ["b1-b3", "a2-c2"]
    assert "il tempo non è limitato per nessuno" in heard(bruno)


@pytest.mark.parametrize(
    "said", ["b8-b7? And what are the rules again?", "b8-b7?\n\nWhat are the rules again?"]
)
def test_a_move_that_cannot_be_played_is_told_beside_the_answer(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    bruno.reads()
    alice.reads()
    assert alice.answers(alice.letter, said).verdict == Code.ILLEGAL_MOVE
    told = heard(alice)
    assert "Your move was not played: b8-b7" in told
    assert "exactly as many squares as there are men on that line" in told
    assert "Bring all your men together in one group" in told
    assert moves(match) == []
    assert "b8-b7" not in heard(bruno)


def test_a_move_that_cannot_be_played_is_told_beside_a_question_of_ours(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    bruno.reads()
    alice.reads()
    assert (
        alice.answers(alice.letter, "I play b8-b7. How much time do I have left?").verdict
        == Code.ILLEGAL_MOVE
    )
    told = heard(alice)
    assert "Your move was not played: b8-b7" in told
    assert "CLOCK" in told
    assert (moves(match), bruno.reads()) == ([], [])


def test_a_move_that_cannot_be_played_is_told_in_italian(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
    bruno.reads()
    row = bruno.answers(bruno.letter, "a2-b2? E quali sono le regole?")
    assert (row.verdict, moves(match)) == (Code.ILLEGAL_MOVE, ["b1-b3"])
    told = heard(bruno)
    assert "La mossa non è stata giocata: a2-b2" in told
    assert "Riunisci tutte le tue pedine" in told


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("I'd like to go from d1 to f3. Heads up, I'm away from 3 to 12 December, skiing.", "AWAY"),
        (
            "I'd like to go from d1 to f3. Bruno dear, could we pause our game for 7 days? They visit us.",
            "PAUSE",
        ),
        (
            "I'd like to go from d1 to f3. And would you kindly write to me only once a day, at eight in the morning?",
            "SET CADENCE daily 8",
        ),
        (
            "I'd like to go from d1 to f3, and could you send me the board in dark colours from now on?",
            "SET THEME dark",
        ),
    ],
)
def test_what_is_wished_beside_a_move_that_is_asked_about_is_asked_with_it(
    begin: Begin, alice: Correspondent, said: str, line: str
) -> None:
    begin("loa")
    alice.answers(alice.letter, said)
    asked = text(alice)
    assert "d1-f3" in asked
    assert line in asked
