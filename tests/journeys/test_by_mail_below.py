"""What stands below emails by itself is refused nowhere, and said to nobody."""

import pytest

from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import Begin, moves

BELOW = [
    "Giovanni Rossi\nvia Roma 3\ntel. 055 1234567",
    "Mario Bianchi\nAvvocato\nVia Garibaldi 12, 20121 Milano",
    "John Smith\n12 High Street\n+44 20 7946 0958",
    "Jane Jones\nSenior Analyst\nACME Ltd.\n+44 20 7946 0958",
    "Sent from my iPhone",
    "Sent from Mail for Windows",
    "Inviato da iPhone",
    "Inviato dal mio telefono Huawei",
    "Get Outlook for Android",
    "Ottieni Outlook per Android",
    "Inviato da Yahoo Mail su Android",
    "This email and any attachments are confidential and intended solely for the recipient. If you have received it "
    "in error, please notify the sender and delete it.",
    "Le informazioni contenute nella presente email sono riservate e destinate esclusivamente al destinatario. Se "
    "ricevuta per errore si prega di avvisare il mittente e cancellare il messaggio.",
    "Prima di stampare questa email pensa all'ambiente",
    "Giovanni Rossi\nvia Roma 3\ntel. 055 1234567\n\nInviato da iPhone",
]


@pytest.mark.parametrize("below", BELOW)
def test_below_a_move(begin: Begin, alice: Correspondent, bruno: Correspondent, below: str) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\n\n{below}").verdict == "ok"
    assert moves(match) == ["b1-b3"]
    assert "| " + below.splitlines()[0] not in bruno.letter.text
    assert "Alice scrive" not in bruno.letter.text


@pytest.mark.parametrize("below", BELOW)
def test_below_words(begin: Begin, alice: Correspondent, bruno: Correspondent, below: str) -> None:
    begin("loa")
    assert alice.answers(alice.letter, f"What a lovely game!\n\n{below}").verdict == "ok"
    assert "| What a lovely game!" in bruno.letter.text
    assert below.splitlines()[-1] not in bruno.letter.text


@pytest.mark.parametrize("below", BELOW)
def test_below_a_move_in_words(begin: Begin, alice: Correspondent, below: str) -> None:
    begin("loa")
    assert alice.answers(alice.letter, f"my man on b1 goes to b3\n\n{below}").verdict == Code.CONFIRM_NEEDED
    assert "words to Bruno" not in alice.letter.text
    assert "    b1-b3" in alice.letter.text


@pytest.mark.parametrize(
    "said",
    [
        "Call me tonight, Bruno\n055 1234567",
        "See you in\nvia Roma 3",
        "Bruno Rossi won\nYou should see it",
        "Bella Mossa",
    ],
)
def test_words_are_no_such_block(begin: Begin, alice: Correspondent, bruno: Correspondent, said: str) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == "ok"
    assert moves(match) == ["b1-b3"]
    assert all(f"| {line}" in bruno.letter.text for line in said.splitlines())


def test_a_command_in_capitals_is_no_part_of_it(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "Good game\n\nAlice Jones\nRESIGN\n+44 20 7946 0958")
    assert "Resign match" in alice.letter.text
