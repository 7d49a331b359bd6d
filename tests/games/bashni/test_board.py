"""The 32 dark squares, their diagonals, and columns as words."""

import pytest

from games.bashni.board import BACK, ENEMIES, INDEX, LAST_ROW, LINES, RAYS, SQUARES, WAYS, crowned, owner
from games.protocol import Side


def at(name):
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def test_the_squares_are_those_as_dark_as_a1():
    every = [f"{letter}{number}" for number in range(1, 9) for letter in "abcdefgh"]
    assert list(SQUARES) == [name for name in every if sum(at(name)) % 2 == 0]
    assert len(SQUARES) == 32


def test_rays_run_along_the_diagonals_to_the_edge():
    for name in SQUARES:
        for (dx, dy), ray in zip(WAYS, RAYS[INDEX[name]], strict=True):
            x, y = at(name)
            places = [(x + n * dx, y + n * dy) for n in range(1, 8)]
            inside = [place for place in places if set(place) <= set(range(8))]
            assert [at(SQUARES[square]) for square in ray] == inside


def test_a_line_has_the_squares_between():
    way, between = LINES[INDEX["a1"], INDEX["e5"]]
    assert WAYS[way] == (1, 1)
    assert [SQUARES[square] for square in between] == ["b2", "c3", "d4"]
    assert (INDEX["a1"], INDEX["c1"]) not in LINES
    assert all(LINES[there, here][0] == BACK[way] for (here, there), (way, _) in LINES.items())


def test_the_last_rows():
    assert {SQUARES[square] for square in LAST_ROW[Side.FIRST]} == {"b8", "d8", "f8", "h8"}
    assert {SQUARES[square] for square in LAST_ROW[Side.SECOND]} == {"a1", "c1", "e1", "g1"}


@pytest.mark.parametrize(("column", "side"), [("w", 0), ("bbW", 0), ("b", 1), ("wwB", 1)])
def test_the_top_owns_a_column(column, side):
    assert owner(column) == side
    assert ENEMIES[column[-1]] == ("bB", "wW")[side]


@pytest.mark.parametrize(
    ("column", "square", "crown"),
    [("bw", "h8", "bW"), ("bw", "a1", "bw"), ("wb", "a1", "wB"), ("wb", "h8", "wb"), ("bW", "h8", "bW")],
)
def test_only_the_top_man_is_crowned_and_only_on_its_last_row(column, square, crown):
    assert crowned(column, INDEX[square]) == crown
