"""What people write to each other every day: no line of it acts, in any game, in a reply or a new letter."""

from pathlib import Path

import pytest

from games.protocol import LANGUAGES
from games.registry import names
from pbem.inbox.commands.line_parser import read_alone, read_line
from pbem.refusals import Code
from tests.boards import Board, read_on

EVERYDAY = {
    language: Path(__file__).with_name(f"everyday.{language}.txt").read_text("utf-8").splitlines()
    for language in LANGUAGES
}
LINES = [line for lines in EVERYDAY.values() for line in lines]
HEADERS = "From: Alice <alice@example.net>\nContent-Type: text/plain; charset=utf-8\n"


def only_reads(text):
    command = read_alone(text)
    return command is not None and command.reading


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough(language):
    assert len(set(EVERYDAY[language])) >= 1000


@pytest.fixture(scope="module")
def asked():
    """Whatever the grammar asks of a game whether it be a move, in a reply to a turn and in a letter of its own; while
    none is, no line is a command."""
    texts = set()

    def note(text, number):
        texts.add((text, number))
        return False

    acting = [line for line in LINES for own in (1, None) if read_line(line, note, own)]
    assert acting == []
    return sorted(texts, key=str)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_acts_in_any_game(name, language, asked):
    board = Board.of(name, language)
    assert [text for text, number in asked if board.is_move(text, number)] == []


@pytest.mark.prove
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("prefix", "first"), [("Re: ", 0), ("", 1)])
def test_no_line_acts_as_the_first_of_a_letter_nor_as_its_subject(prefix, first, language):
    for line in EVERYDAY[language][first::2]:
        letter = f"{HEADERS}To: play@pbem.example\nSubject: {prefix}{line}\n\n{line}\n\n> Hello\n"
        reading = read_on(None, letter.encode(), language=language)
        assert all(only_reads(each["text"]) for each in reading["commands"]), line
        unread = (Code.NO_MOVE_FOUND, Code.QUOTED_ONLY)
        assert reading["commands"] or reading["verdict"] in unread or reading["automatic"], line


FILLER = {
    "en": "We drove up to the lake on Sunday with the whole family and there was a concert by the water",
    "it": "Domenica siamo andati tutti insieme al lago e alla sera sulla riva suonava la banda del paese",
}
LAST = {  # words of each length
    "en": [
        "",
        "a",
        "so",
        "but",
        "then",
        "since",
        "mostly",
        "because",
        "although",
        "therefore",
        "everywhere",
        "nevertheless",
    ],
    "it": [
        "",
        "e",
        "ma",
        "poi",
        "però",
        "anche",
        "quindi",
        "siccome",
        "comunque",
        "purtroppo",
        "finalmente",
        "soprattutto",
    ],
}


def broken(line: str, at: int, language: str, width: int) -> str:
    """What a program makes of it that breaks lines at a width, behind a sentence so long that the break comes there."""
    head, tail = (" ".join(part) for part in (line.split()[:at], line.split()[at:]))
    room = width - len(head) - 1
    filler = FILLER[language][:room].rpartition(" ")[0]
    last = LAST[language][max(min(room - len(filler) - 1, 11), 0)]
    return f"{filler} {last} {head}\n{tail}\n".replace("  ", " ")


@pytest.mark.prove
@pytest.mark.parametrize("width", [65, 72, 78])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_end_of_a_line_acts_where_a_program_has_broken_it(language, width):
    board, found = Board.of("loa", language), 0
    for line in EVERYDAY[language]:
        for at in range(1, len(line.split())):
            ends = read_line(" ".join(line.split()[at:]), board.is_move, 0)
            if ends is None or not any(map(str.isalpha, line.split()[0])):  # `1. Yes` is a list
                continue
            letter = (
                f"{HEADERS}To: m+aaaa@pbem.example\nSubject: Re: x\n\n{broken(line, at, language, width)}"
            )
            reading = read_on(board, letter.encode(), language=language)
            assert reading["commands"] == [], letter
            found += 1
    assert found > 30


HEADLINES = (
    "Draw",
    "OK",
    "Yes",
    "No",
    "Undo",
    "Resign",
    "Rematch",
    "Back",
    "Patta",
    "Sì",
    "Rivincita",
    "Tornato",
)
TALK = "Have you seen the tournament in Norway? I liked the last round most of all."


@pytest.mark.parametrize("prefix", ["Re: ", "R: ", "AW: ", "Fwd: ", "I: ", ""])
def test_an_ordinary_subject_above_talk_does_nothing(prefix):
    for line in HEADLINES:
        letter = f"{HEADERS}To: play@pbem.example\nSubject: {prefix}{line}\n\n{TALK}\n"
        reading = read_on(None, letter.encode())
        assert reading["commands"] == [], line
