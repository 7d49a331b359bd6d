"""TEST and PROVA: a letter that tries out a mail program, and what its answer tells."""

from __future__ import annotations

import pytest

from pbem.inbox.models import OK
from pbem.matches.models import Match
from pbem.outbox.rendering.sections.mail_client_test import RULER, SIGNS
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post


def test_it_has_everything_that_a_letter_may_need(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("TEST").verdict == OK
    assert bruno.writes("", subject="Prova").verdict == OK
    for who in (alice, bruno):
        assert who.letter.kind == "test"
        assert who.letter.reply_to.startswith("l+")
        assert RULER in who.letter.text
        assert SIGNS in who.letter.text
        assert SIGNS in who.letter.html
        assert sum(part.get_content_type() == "image/png" for part in who.letter.message.walk()) == 1
        assert max(len(line) for line in who.letter.text.splitlines() if "http" not in line) <= 72


@pytest.mark.parametrize(
    ("said", "advice", "consiglio"),
    [
        ("OK", "All is well", "Va tutto bene"),
        ("1, 3", "SET LETTERS text", "IMPOSTA LETTERE testo"),
        ("4", "SET THEME dark", "IMPOSTA TEMA scuro"),
    ],
)
def test_its_answer_is_told_what_we_saw_and_what_helps(
    alice: Correspondent, bruno: Correspondent, said: str, advice: str, consiglio: str
) -> None:
    for who, ask, expected in ((alice, "TEST", advice), (bruno, "PROVA", consiglio)):
        who.writes(ask)
        row = who.answers(who.letter, said, headers={"User-Agent": "Mutt/2.2 <b>", "MIME-Version": "1.0"})
        assert (row.verdict, who.letter.kind) == (OK, "tested")
        assert expected in who.letter.text
        assert "Mutt/2.2 <b>" in who.letter.text
        assert "<b>" not in who.letter.html
    assert "The signs of point 2 came back as they were." in alice.letter.text
    assert "nobody else can easily write in your name" in " ".join(alice.letter.text.split())


def test_the_advice_can_be_taken_in_the_same_answer(alice: Correspondent) -> None:
    alice.writes("TEST")
    assert alice.answers(alice.letter, "3\nSET LETTERS text", dmarc="").verdict == OK
    assert alice.player.text_only
    assert "does not prove" in " ".join(alice.letter.text.split())
    alice.writes("TEST")
    assert alice.letter.html == ""


def test_somebody_else_learns_nothing_by_it(alice: Correspondent, charlie: Correspondent) -> None:
    alice.writes("TEST")
    charlie.answers(alice.letter, "OK")
    assert charlie.letters == []


def test_in_a_reply_to_a_turn_it_is_talk(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3\nTest.")
    bruno.answers(bruno.letter, "a2-c2\nProva.")
    assert "Test." in bruno.letters[-2].text
    assert "Prova." in alice.letter.text
    assert "test" not in [letter.kind for letter in alice.letters + bruno.letters]


def test_an_answer_that_nobody_can_read_is_refused_as_any_other(post: Post, alice: Correspondent) -> None:
    alice.writes("TEST")
    letter = alice.letter
    flood = b"X-Flood: a\r\n" * 2_000
    row = post.deliver(flood + alice.pens("OK"), letter.reply_to, alice.email)
    assert row.verdict == Code.TOO_COMPLEX
    assert alice.letter.kind != "tested"


def test_the_organiser_sees_what_the_answer_told(alice: Correspondent) -> None:
    alice.writes("TEST")
    row = alice.answers(alice.letter, "2 and 3")
    assert row.reading["tested"]["wrong"] == [2, 3]
    assert row.reading["tested"]["thread"]
