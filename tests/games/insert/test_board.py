"""Lines, fives and groups on the bare board."""

import pytest

from games.insert.board import ALL, BOARD, SINGLE, Layout, five, largest_group


def mask(cells):
    return sum(BOARD.bits[cell] for cell in cells.split())


def test_a_layout_is_read_as_a_page_is():
    at = Layout("-" * 6 + "|" * 6 + "/" * 18 + "\\" * 6).at
    assert (at["a6"], at["f6"], at["a5"], at["f2"], at["a1"]) == ("-", "-", "|", "/", "\\")
    assert len(at) == ALL.bit_count() == 36


@pytest.mark.parametrize("mark", SINGLE)
def test_cells_of_a_line_have_that_line_in_common(mark):
    lines = Layout(mark * 36).lines
    for cell in BOARD.names:
        assert cell & lines[cell]
        assert {lines[other] for other in BOARD.names if other & lines[cell]} == {lines[cell]}


def test_there_are_six_rows_six_columns_and_twice_eleven_diagonals():
    numbers = {mark: len({*Layout(mark * 36).lines.values()} - {0}) for mark in SINGLE}
    assert numbers == {"-": 6, "|": 6, "\\": 11, "/": 11}


def test_there_are_32_ways_to_stand_five_in_a_line():
    lines = [line for line in BOARD.lines if len(line) >= 5]
    fives = [line[i : i + 5] for line in lines for i in range(len(line) - 4)]
    assert len(fives) == 32
    for row in fives:
        assert five(sum(row))
        assert not any(five(sum(row) ^ bit) for bit in row)


def test_a_line_does_not_go_on_at_the_other_edge():
    assert not five(mask("d3 e3 f3 a4 b4"))
    assert not five(mask("c1 d2 e3 f4 a6"))


@pytest.mark.parametrize(
    ("cells", "size"),
    [
        ("", 0),
        ("f6", 1),
        ("a1 b2 c3 d4", 1),
        ("f1 a2", 1),
        ("a1 a2 b2 c2 c1", 5),
        ("a1 b1 e5 e6 d6 f1", 3),
    ],
)
def test_only_rows_and_columns_connect(cells, size):
    assert largest_group(mask(cells)) == size
