"""The lines that a text comes to which is in nobody's table."""

from collections import defaultdict

import pytest

from games.protocol import LANGUAGES
from pbem.inbox.commands import Understood, understand
from pbem.inbox.commands.bars import Bar
from pbem.inbox.commands.intended import intended
from pbem.inbox.commands.intended_moves import OF_MOVES
from pbem.inbox.commands.intent_lines import ANEW, IN_MATCH, SAID_TO_PEOPLE
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.phrases import written
from pbem.intents import TALK
from tests.boards import Board
from tests.intents import examples

OWN = 4  # the match of the letter that is answered
FILLED = {
    "at": "12",
    "away": "3 August TO 20 August",
    "days": "5 DAYS",
    "email": "zoe@example.org",
    "game": "zertz",
    "hour": "8",
    "language": "italian",
    "last": "UNTIL Monday",
    "name": "Zoe",
    "night": "22-7",
    "robot": "Robot-1",
    "text": "the tea is ready",
    "weekdays": "Saturday Sunday",
    "who": "Bruno",
    "zone": "Tokyo",
}


def read(text: str, own: int | None, language: str) -> Understood:
    board = Board.of("loa", language)
    return understand(
        [text],
        subject=None,
        language=language,
        is_move=board.is_move,
        match=own,
        legal=board.legal if own else None,
    )


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
        ("How good is Carla at Zèrtz, is she going to wipe the floor with me?", "RATING Carla"),
        ("Please switch my mails to Italian, I read it more easily than English.", "SET LANGUAGE italian"),
        ("Prego mandatemi le lettere in italiano e non in inglese.", "IMPOSTA LINGUA italiano"),
        ("Posso cambiare nome? Ho messo Pinuccio52 ma mi pare ridicolo.", "IMPOSTA NOME Pinuccio52"),
        ("do u have puzzles?? like find the win in 2", "PUZZLE"),
        ("Gli orari sono sbagliati, io sto a Roma e non a Londra: correggete il fuso.", "IMPOSTA FUSO Roma"),
        (
            "Il sabato non gioco, è possibile che ogni sabato il mio orologio resti fermo?",
            "IMPOSTA RIPOSO sabato",
        ),
        ("My name is Ngozi, not Prof. Could you please change it?", "SET NAME Ngozi"),
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
        ("how good is the person im playing", "RATING OPPONENT"),
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


def test_each_intent_comes_to_a_line_of_the_grammar_or_is_nobodys_wish() -> None:
    others = {
        "ERASE",
        "HUMAN",
        "NOTE",
        *OF_MOVES,
        "WITHDRAW",
        TALK,
    }  # looked for elsewhere, or said to people
    assert {intent for _, intent, _ in examples()} - others == set(ANEW)
    assert set(IN_MATCH) - others <= set(ANEW)
    assert SAID_TO_PEOPLE - others <= set(ANEW)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "line", sorted({each for lines in (*ANEW.values(), *IN_MATCH.values()) for each in lines})
)
def test_each_line_is_one_of_the_grammar(line: str, language: str) -> None:
    said = written(line, language).format_map(defaultdict(lambda: "7", FILLED))
    assert read_line(said, lambda text, match: False, OWN) is not None


@pytest.mark.parametrize(
    ("own", "language", "text", "lines"),
    [
        (
            None,
            "it",
            "Mi piacerebbe seguire la partita tra Anna e Carla, così imparo qualcosa.",
            ["AIUTO OSSERVO"],
        ),
        (None, "en", "Where can I see how the rating points are calculated?", ["HELP RATING"]),
        (OWN, "en", "Let me see how the board stood three moves ago.", ["SHOW LAST 3"]),
        (OWN, "it", "Com'era la posizione alla quinta mossa?", ["MOSTRA ALLA 5"]),
        (
            OWN,
            "it",
            "Prego scrivere a me in inglese, il mio italiano è poco buono.",
            ["IMPOSTA LINGUA inglese"],
        ),
    ],
)
def test_words_that_say_another_thing_than_the_whole_are_not_believed(
    own: int | None, language: str, text: str, lines: list[str]
) -> None:
    assert [ask.line for ask in read(text, own, language).asks] == lines


def test_what_is_to_be_told_beside_what_only_reads_is_not_lost() -> None:
    said = "Dite a Bruno che gli auguro buon compleanno, e intanto mandatemi l'elenco delle mosse."
    found = read(said, OWN, "it")
    assert [ask.line for ask in found.asks] == ["STORIA"]
    assert found.beside.startswith("Dite a Bruno che gli auguro buon compleanno")
