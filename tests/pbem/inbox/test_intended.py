"""The lines that a text comes to which is in nobody's table."""

import pytest

from pbem.inbox.commands.intended import Bar, intended


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Preferirei ricevere tutto in un'unica email la sera verso le 21", "IMPOSTA CADENZA giornaliera 21"),
        ("No clock between ten at night and seven in the morning please", "SET NIGHT 22-7"),
        ("I would rather be called Susan here than Mrs_Potter, please", "SET NAME Susan"),
        ("mi ero iscritta come Carmelina ma vorrei chiamarmi Carmela", "IMPOSTA NOME Carmela"),
        ("Can I have the emails in Italian? My English is not so good.", "SET LANGUAGE italian"),
        ("Tutto in inglese, io parlo solo italiano, potete cambiare?", "IMPOSTA LINGUA italiano"),
        (
            "I have a new email, it is kwame.b@example.org. Please use that one",
            "SET ADDRESS kwame.b@example.org",
        ),
        ("Please explain the rules of Gemma with an example", "HELP Gemma"),
        ("What's Bruno's rating?", "RATING Bruno"),
    ],
)
def test_in_a_new_email(text: str, line: str) -> None:
    assert list(intended(text, anew=True, helps=True)) == [line]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Need 3 more days please", "PAUSE 3 DAYS"),
        ("fammi rivedere le ultime 4 posizioni", "MOSTRA ULTIME 4"),
        ("Could I see the board as it was after move 4?", "SHOW AT 4"),
        ("Send the board again, it got deleted", "SHOW"),
        ("quit sending me reminders please", "SET REMINDERS none"),
    ],
)
def test_in_answer_to_a_board(text: str, line: str) -> None:
    assert list(intended(text, anew=False)) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "What if I had gone b8-b6?",
        "b1-b3, and how is your mother?",
        "Robot-1",
        "The soup was wonderful",
        "Thanks!",
    ],
)
def test_moves_and_talk_are_no_wishes(text: str) -> None:
    for bar in (Bar.USUAL, Bar.SURE):
        assert list(intended(text, anew=False, bar=bar, helps=True)) == []


def test_what_is_refused_otherwise_needs_less() -> None:
    text = "is there anybody at the other end"
    assert list(intended(text, anew=False, bar=Bar.REFUSED)) == ["CLOCK"]
