"""How moves are numbered: by the moves of the side that begins, as score sheets do."""

import pytest

from games.move_numbers import MoveNumber, mark, moves_of, numbered, score
from games.values import Side

FIRST, SECOND = Side


def test_a_ply_is_a_move_of_one_side() -> None:
    assert [mark(ply) for ply in range(4)] == ["1.", "1...", "2.", "2..."]
    assert numbered(11, "a7-c5") == "6... a7-c5"
    assert [moves_of(plies) for plies in range(5)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("6", MoveNumber(6)),
        ("6.", MoveNumber(6, FIRST)),
        ("6..", MoveNumber(6, SECOND)),
        ("6...", MoveNumber(6, SECOND)),
        ("6 ...", MoveNumber(6, SECOND)),
        ("0", MoveNumber(0)),
        ("0.", MoveNumber(0)),
        ("6....", None),
        ("12345", None),
        ("six", None),
    ],
)
def test_numbers_as_they_are_written(written: str, read: MoveNumber | None) -> None:
    assert MoveNumber.read(written) == read


def test_what_is_written_is_read_back() -> None:
    assert all(MoveNumber.read(mark(ply)) == MoveNumber.of(ply) for ply in range(300))


def test_a_number_alone_is_the_later_of_both_moves() -> None:
    assert [MoveNumber(6).plies(played) for played in (10, 11, 12, 40)] == [None, 11, 12, 12]
    assert [MoveNumber(6, FIRST).plies(played) for played in (10, 11, 12, 40)] == [None, 11, 11, 11]
    assert [MoveNumber(6, SECOND).plies(played) for played in (10, 11, 12, 40)] == [None, None, 12, 12]
    assert MoveNumber(0).plies(0) == MoveNumber(0).plies(9) == 0


def test_a_score_stands_in_pairs() -> None:
    assert [str(line) for line in score(["a", "b", "c"])] == ["1. a b", "2. c"]
    assert [str(line) for line in score(["a", "b", "c"], 11)] == ["6... a", "7. b c"]
    assert [str(move) for line in score(["a", "b", "c"]) for move in line.apart()] == [
        "1. a",
        "1... b",
        "2. c",
    ]
    assert not list(score([], 5))


@pytest.mark.parametrize(
    ("written", "side", "boards", "ply"),
    [
        ("7...", SECOND, (None, 13), 13),
        ("7...", SECOND, (None, 15), 13),
        ("7", SECOND, (None, 13), 13),
        ("7", FIRST, (None, 12), 12),
        ("14", SECOND, (None, 13), 13),  # the half-move, as letters of before had it
        ("14", SECOND, (13, 27), 13),  # and of the letter that is answered, whatever stands there now
        ("7.", SECOND, (None, 13), 13),  # a full stop
        ("7...", FIRST, (None, 12), 13),
        ("9", FIRST, (None, 12), 16),
        ("0", FIRST, (None, 0), -2),
    ],
)
def test_what_a_guard_is_meant_for(
    written: str, side: Side, boards: tuple[int | None, ...], ply: int
) -> None:
    number = MoveNumber.read(written)
    assert number is not None
    assert number.guarded(side, boards) == ply
