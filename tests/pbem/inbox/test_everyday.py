"""What people write to each other every day: no line of it acts, in any game, in a reply or a new letter."""

from pathlib import Path

import pytest

from games.protocol import LANGUAGES
from games.registry import names
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.dry_run import Board, on_trial
from pbem.refusals import Code

EVERYDAY = {
    language: Path(__file__).with_name(f"everyday.{language}.txt").read_text("utf-8").splitlines()
    for language in LANGUAGES
}
LINES = [line for lines in EVERYDAY.values() for line in lines]
HEADERS = "From: Alice <alice@example.net>\nContent-Type: text/plain; charset=utf-8\n"


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
        reading = on_trial(letter.encode(), board=None, language=language, sent=None, own_domain="")
        assert reading["commands"] == [], line
        assert reading["verdict"] in (Code.NO_MOVE_FOUND, Code.QUOTED_ONLY) or reading["automatic"], line


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
        reading = on_trial(letter.encode(), board=None, language="en", sent=None, own_domain="")
        assert reading["commands"] == [], line
