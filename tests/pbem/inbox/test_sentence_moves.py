"""Moves that have a sentence of their own: played, with the rest passed on; and what looks like them, and is talk."""

import pytest

from pbem.inbox.commands import understand
from pbem.inbox.commands.playing.grammar import Move
from tests.boards import Board

PLAYED = {
    "b8-b6. Your mother says hello.": "Your mother says hello.",
    "b8-b6. How's the knee?": "How's the knee?",
    "Sorry, I counted wrong. I'd like to move b8 to b6.": "Sorry, I counted wrong.",
    "Hello dear, I move b8 to b6. How is your knee?": "Hello dear,\nHow is your knee?",
    "Ah già, non posso. Allora b8-b6.": "Ah già, non posso.",
    "Yes please. My first move is b8 to b6.": "Yes please.",
}
NOT_PLAYED = (
    "You could have played better. b8-b6!",
    "Potevi giocare meglio. b8-b6!",
    "I nearly won last time. b8-b6 was a blunder.",
    "b8-b6. Was that it?",
    "b8-b6? I do not know.",
    "b8-b6. c8-c6. Which one?",
    "If I were you: sorry. I'd play b8-b6.",
    "bella mossa. b8-b6 era meglio",
)


def said(line: str) -> tuple[list[str], str]:
    board = Board.of("loa", "en")
    read = understand([line], subject=None, language="en", is_move=board.is_move, match=4, legal=board.legal)
    return [each.text for each in read.commands if isinstance(each, Move)], read.chat


@pytest.mark.parametrize("line", PLAYED)
def test_it_is_played_and_the_opponent_reads_the_rest(line: str) -> None:
    moves, chat = said(line)
    assert len(moves) == 1
    assert chat == PLAYED[line]


@pytest.mark.parametrize("line", NOT_PLAYED)
def test_what_may_be_talk_is_not(line: str) -> None:
    assert said(line)[0] == []


def test_below_another_move_it_is_talk() -> None:
    board = Board.of("loa", "en")
    lines = ["b1-b3", "b8-b6. It was nearly that."]
    read = understand(lines, subject=None, language="en", is_move=board.is_move, match=4, legal=board.legal)
    assert [each.line for each in read.commands] == ["b1-b3"]


def test_whoever_is_not_to_move_plays_nothing() -> None:
    board = Board.of("loa", "en")
    read = understand(
        ["b8-b6. Your mother says hello."], subject=None, language="en", is_move=board.is_move, match=4
    )
    assert read.commands == ()
