"""Outlook asks that an email be given back: its writer hears how a move is taken back, and nobody else hears of it."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, play_address, unwrapped

Begin = Callable[..., Match]


@pytest.mark.parametrize(
    "said",
    [
        'Alice would like to recall the message, "Re: [1] Lines of Action: Alice - Bruno".',
        'Rossi, Alice would like to recall the\nmessage, "b1-b3".',
        "alice@example.org would like to recall this message.",
        'Alice desidera richiamare il messaggio "R: [1] Lines of Action: Alice - Bruno".',
    ],
)
@pytest.mark.parametrize("played", [True, False])
def test_it_is_answered_with_how_a_move_is_taken_back(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, played: bool
) -> None:
    match = begin("loa")
    letter = alice.letter
    if played:
        alice.answers(letter, "b1-b3")
    heard = len(bruno.letters)
    row = alice.writes(said, to=letter.reply_to, subject=f"Recall: Re: {letter.subject}")
    assert row.verdict == Code.RECALLED
    told = unwrapped(alice.letter.text)
    assert "An email cannot be recalled here: what it said is done." in told
    assert "UNDO" in told
    assert "body=UNDO" in alice.letter.html
    assert len(bruno.letters) == heard
    assert match.turns.count() == played
    if played:
        assert alice.answers(alice.letter, "UNDO").verdict == "ok"
        assert bruno.letter.kind == "asks"


def test_a_new_email_is_recalled_too(alice: Correspondent) -> None:
    said = 'Alice would like to recall the message, "CHALLENGE Bruno loa".'
    row = alice.writes(said, to=play_address(), subject="Recall: CHALLENGE Bruno loa")
    assert row.verdict == Code.RECALLED


def test_a_person_who_speaks_of_one_plays_on(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    said = "My boss would like to recall the message that he sent to half of Leeds by mistake, what a day!"
    assert alice.answers(alice.letter, f"b1-b3\n\n{said}").verdict != Code.RECALLED
    assert match.turns.count() == 1
