"""What people say of moves that are not played: it stays talk, though it begins as IF, NEXT, SE or POI do."""

from pathlib import Path

import pytest

from games.protocol import LANGUAGES
from games.registry import names
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import ClearIfs, If, Ifs, Next
from tests.boards import Board

SAID = {
    language: Path(__file__).with_name(f"hypothetical.{language}.txt").read_text("utf-8").splitlines()
    for language in LANGUAGES
}
LOA = Board.of("loa", "en")


def read(line: str, own: int | None = 1) -> Command | None:
    return read_line(line, LOA.is_move, own)


def test_there_are_two_hundred() -> None:
    assert len({line for lines in SAID.values() for line in lines}) >= 200


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_acts_in_any_game(name: str, language: str) -> None:
    board = Board.of(name, language)
    assert [line for line in SAID[language] if read_line(line, board.is_move, 1)] == []


@pytest.mark.parametrize(
    "line",
    [
        "IF a2-c2 THEN b3-b1",
        "if a2-c2 then b3-b1",
        "Se a2-c2 allora b3-b1",
        "SE a2-c2 ALLORA b3-b1.",
        "- IF A2 C2 THEN b3:b1",
        "1. If a2-c2, then b3-b1;",
        "IF: a2-c2 THEN b3-b1",
    ],
)
def test_the_ways_to_write_a_line(line: str) -> None:
    command = read(line)
    assert isinstance(command, If)
    assert [str(move).casefold().replace(" ", "-").replace(":", "-") for move in command.moves] == [
        "a2-c2",
        "b3-b1",
    ]


@pytest.mark.parametrize("any_reply", ["ANY", "any", "anything", "QUALSIASI", "qualunque", "*"])
def test_any_reply_has_many_names(any_reply: str) -> None:
    assert read(f"IF {any_reply} THEN b3-b1 if a2-c2 then b1-b3") == If((None, "b3-b1", "a2-c2", "b1-b3"))


@pytest.mark.parametrize("line", ["NEXT b3-b1", "next b3-b1", "Poi b3-b1", "POI: b3-b1"])
def test_the_next_move_whatever_comes(line: str) -> None:
    assert read(line) == Next("b3-b1")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("105 IF a2-c2 THEN b3-b1", If(("a2-c2", "b3-b1"), 105)),
        ("IF #105 a2-c2 THEN b3-b1", If(("a2-c2", "b3-b1"), 105)),
        ("IF 105: 1... a2-c2 THEN 2. b3-b1", If(("a2-c2", "b3-b1"), 105)),
        ("NEXT 2. b3-b1", Next("b3-b1")),
        ("NEXT [105] b3-b1", Next("b3-b1", 105)),
        ("IFS 105", Ifs(105)),
        ("ifs", Ifs()),
        ("IFS CLEAR", ClearIfs()),
        ("IFS CLEAR 3", ClearIfs(None, 3)),
        ("IFS 105 CLEAR 3", ClearIfs(105, 3)),
        ("105 SEQUENZE CANCELLA", ClearIfs(105)),
        ("Sequenze", Ifs()),
    ],
)
def test_a_match_and_a_number(line: str, command: Command) -> None:
    """The board of the trial knows no other match than its own."""
    assert read_line(line, lambda text, match: LOA.is_move(text, None), 1) == command


@pytest.mark.parametrize(
    "line",
    [
        "IF a2-c2 THEN b3-k9x",
        "IF a2-c9 THEN b3-b19",
        "if a2-c2 then b3b19",
        "NEXT k9-k7",
        "IF Wd4 b1 THEN x d3Gd4",
    ],
)
def test_a_slip_is_no_talk(line: str) -> None:
    """It would tell the opponent what they must not know."""
    assert isinstance(read(line), If | Next)


@pytest.mark.parametrize(
    "line", ["IF THEN b3-b1", "IF a2-c2 THEN", "IF a2-c2 THEN b3-b1 IF", "THEN b3-b1", "IF a2-c2"]
)
def test_a_part_of_a_line_is_none(line: str) -> None:
    assert not isinstance(read(line), If)


def test_a_line_that_cannot_be_one_is_not_looked_at_move_by_move() -> None:
    """Strangers choose how many moves there are in a line."""
    asked: list[str] = []

    def is_move(text: str, match: int | None) -> bool:
        asked.append(text)
        return False

    assert read_line("if " + "a2-c2 then b3-b1 if " * 15, is_move, 1) is None
    assert "a2-c2" not in asked
