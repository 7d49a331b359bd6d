"""What a line asks for, and what stands beside it."""

import pytest

from pbem.inbox.understanding.candidates import Context, candidates
from pbem.inbox.understanding.interpreter import interpretations
from tests.boards import Board

OWN = 4


def context(*, anew: bool = False) -> Context:
    board = Board.of("loa", "en")
    return Context(board.is_move, None if anew else OWN, None if anew else board.legal)


def read(line: str, *, anew: bool = False) -> list[tuple[str, str]]:
    return [(each.command.line, each.rest) for each in interpretations(line, context(anew=anew))]


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        ("After long consideration I have decided upon c8-c6.", ["c8-c6"]),
        ("b8-b6, and how much time do I have left?", ["b8-b6", "CLOCK"]),
        ("resign this and challenge Carla to emergo", ["RESIGN", "CHALLENGE Carla emergo"]),
        ("dark colours? and my city is London", ["SET THEME dark", "SET ZONE London"]),
        (
            "I play e1-g3, and should he answer h4-f4 then I carry on with b8-b6.",
            ["e1-g3", "IF h4-f4 THEN b8-b6"],
        ),
        ("b1-b3 would have won", []),
        ("Did you see the match on Sunday?", []),
        ("rezign", ["resign"]),
    ],
)
def test_in_a_match(line: str, read_as: list[str]) -> None:
    assert [command for command, _ in read(line)] == read_as


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        ("let's play loa with gianni", ["CHALLENGE gianni loa"]),
        ("challenge Bruno to loa and Carla to emergo", ["CHALLENGE Bruno loa", "CHALLENGE Carla emergo"]),
        ("how do I resign?", ["HELP RESIGN"]),
        ("zertz?", []),
        ("Delete my account please", []),  # the organiser reads it
    ],
)
def test_in_a_new_letter(line: str, read_as: list[str]) -> None:
    assert [command for command, _ in read(line, anew=True)] == read_as


def test_no_word_beside_what_ends_a_match_is_lost() -> None:
    assert read("resign, good game Ben") == [("resign", "good game Ben")]


def test_candidates_are_ranked_by_their_margin() -> None:
    found = candidates("could you tell me whose turn it is, and the rules?", context())
    assert [each.margin for each in found] == sorted((each.margin for each in found), reverse=True)
