"""What is said to an opponent and may be meant for us, and moves in words that cannot be played: the writer is told
which word does it, what was read, and what can be played."""

from collections.abc import Callable

import pytest

from pbem.inbox.understanding.addressee import hinted
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.pbem.inbox.test_everyday import EVERYDAY

Begin = Callable[..., Match]


def text(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


@pytest.mark.parametrize(
    ("said", "verb"),
    [
        ("I'm away for a while, I'll be in touch", "AWAY [from] day"),
        ("How do I get my man over there?", "HELP RULES"),
        ("shall we pause the game, Bruno", "PAUSE [match]"),
        ("Did you play that because of the deadline?", "CLOCK [match]"),
    ],
)
def test_the_receipt_names_the_word_for_what_is_said(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, verb: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert verb in text(alice)
    assert "What can be played here" not in text(alice)
    assert f"| {said}" in bruno.letter.text


def test_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    for said, verb in (("parto per la Spagna, ci sentiamo", "ASSENTE [dal] giorno"),):
        assert bruno.answers(bruno.letter, said).verdict == "ok"
        assert verb in text(bruno)
        assert f"| {said}" in alice.letter.text


def test_few_lines_of_talk_bring_help() -> None:
    for language, lines in EVERYDAY.items():
        assert sum(hinted(line, language) is not None for line in lines) <= len(lines) / 25


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I capture on d4 with the tower", "None of your legal moves has d4 in it."),
        (
            "I would love to get from b1 to b7 with it",
            "Your legal moves with b1: b1-h1 · b1-b3 · b1-d3 None of your legal moves has b7 in it.",
        ),
    ],
)
def test_a_move_in_words_that_cannot_be_played_gets_a_reason(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, why: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == Code.NO_MOVE_FOUND
    assert f"We read: {said}" in text(alice)
    assert why in text(alice)
    assert bruno.reads() == []


def test_a_reason_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
    assert bruno.answers(bruno.letter, "mangio la pedina in d4 con la torre").verdict == Code.NO_MOVE_FOUND
    assert "Nessuna delle tue mosse possibili contiene d4." in text(bruno)


@pytest.mark.parametrize("said", ["put a man on e5 and good luck", "why can't I enter on e5?", "e5?"])
def test_of_a_cell_that_no_move_has_the_reason_is_told(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    begin("emergo")
    assert alice.answers(alice.letter, said).verdict == Code.NO_MOVE_FOUND
    told = " ".join(alice.letter.text.split())
    assert "None of your legal moves has e5 in it. The reason: White's first man may enter on any" in told


def test_the_reason_is_told_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("emergo")
    assert alice.answers(alice.letter, "a1").verdict == "ok"
    assert bruno.answers(bruno.letter, "posso entrare in a1?").verdict == Code.NO_MOVE_FOUND
    told = " ".join(bruno.letter.text.split())
    assert "Nessuna delle tue mosse possibili contiene a1. Il motivo: In a1 c'è già una colonna." in told


def test_the_words_below_an_illegal_move_are_shown_as_unread(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    bruno.reads()
    alice.answers(alice.letter, "I'll take a4 with b1.\n\nI know, I know, I'll ring her tonight.")
    told = " ".join(alice.letter.text.split())
    assert "Bruno has not read the rest of your email. Send it again with your move: I know, I know" in told
    alice.answers(alice.letter, "I'll take a4 with b1.\n\nAlice")
    assert "rest of your email" not in alice.letter.text
    assert bruno.reads() == []
