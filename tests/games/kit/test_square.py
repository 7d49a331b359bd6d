"""Square boards: lines, groups and the text of a board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.scene import SquareBoard

FOUR = SquareBoard(4)
EIGHT = SquareBoard(8)


def mask(board: SquareBoard, cells: str) -> int:
    return sum(board.bits[cell] for cell in cells.split())


def test_cells_are_named_from_a1_up_row_by_row():
    assert " ".join(FOUR.cells(FOUR.full)) == "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"


def test_lines_are_all_rows_columns_and_diagonals_of_two_cells_and_more():
    lines = {" ".join(FOUR.names[bit] for bit in line) for line in FOUR.lines}
    assert lines == {
        *("a1 b1 c1 d1", "a2 b2 c2 d2", "a3 b3 c3 d3", "a4 b4 c4 d4"),
        *("a1 a2 a3 a4", "b1 b2 b3 b4", "c1 c2 c3 c4", "d1 d2 d3 d4"),
        *("c1 d2", "b1 c2 d3", "a1 b2 c3 d4", "a2 b3 c4", "a3 b4"),
        *("b1 a2", "c1 b2 a3", "d1 c2 b3 a4", "d2 c3 b4", "d3 c4"),
    }
    assert len(FOUR.lines) == 18


def test_the_first_row_may_be_on_top():
    """As in Othello, a1 is then at the upper left: in the text of a board, in its scene, and beside its coordinates."""
    board = SquareBoard(4, downwards=True)
    text = board.write({"o": mask(board, "c1"), "x": mask(board, "a2 b2 c2 d2")})
    assert text == "2o1/xxxx/4/4"
    assert board.read(text, "ox") == (mask(board, "c1"), mask(board, "a2 b2 c2 d2"))
    assert " ".join(cell.name for cell in board.scene_cells[:5]) == "a1 b1 c1 d1 a2"
    assert [(cell.x, cell.y) for cell in board.scene_cells] == [(cell.x, cell.y) for cell in FOUR.scene_cells]
    assert [cell.ground for cell in board.scene_cells] == [cell.ground for cell in FOUR.scene_cells]
    assert [edge.cell for edge in board.scene_edges] == ["a4", "b4", "c4", "d4", "a1", "a2", "a3", "a4"]


@pytest.mark.parametrize(
    ("cells", "groups"),
    [
        ("", 0),
        ("c3", 1),
        ("a1 b2 c3", 1),
        ("a1 c1", 2),
        ("h1 a2", 2),  # neighbours as numbers, but not on the board
        ("h1 a3", 2),
        ("h8 a1", 2),
        ("b4 d4 a3 b3 c3 d2", 1),  # X of the example in Fogliaccio degli Astratti 6
        ("e4 e2 b1 c1", 3),  # and O
    ],
)
def test_men_touch_sideways_and_at_corners(cells, groups):
    men = mask(EIGHT, cells)
    assert EIGHT.groups(men) == groups
    assert EIGHT.connected(men) == (groups <= 1)


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_groups_are_those_found_man_by_man(places):
    left, groups = set(places), 0
    while left:
        groups += 1
        reached = [left.pop()]
        for x, y in reached:
            near = {place for place in left if abs(place[0] - x) <= 1 and abs(place[1] - y) <= 1}
            left -= near
            reached += near
    assert EIGHT.groups(sum(EIGHT.rows[y][x] for x, y in places)) == groups


@given(st.lists(st.sampled_from(".ox"), min_size=144, max_size=144))
def test_a_board_is_read_as_it_was_written(men):
    board = SquareBoard(12)
    layers = {
        letter: sum(bit for bit, man in zip(board.names, men, strict=True) if man == letter)
        for letter in "ox"
    }
    assert board.read(board.write(layers), "ox") == (layers["o"], layers["x"])


def test_a_board_is_written_as_in_chess():
    text = FOUR.write({"o": mask(FOUR, "c4"), "x": mask(FOUR, "a3 b3 c3 d3")})
    assert text == "2o1/xxxx/4/4"


@pytest.mark.parametrize(
    "text",
    ["", "4/4/4", "4/4/4/5", "4/4/4/3", "4/4/4/ooz1", "4/4/4/22", "4/4/4/04", "4/4/4/ooo ", "4/4/4/oo²"],
)
def test_what_is_not_a_board_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|has more"):
        FOUR.read(text, "ox")


def test_a_scene_has_the_last_row_on_top_and_a1_shaded():
    cells = FOUR.scene_cells
    assert [cell.name for cell in cells[:4]] == ["a4", "b4", "c4", "d4"]
    assert [(cell.x, cell.y, cell.ground) for cell in cells if cell.name in ("a1", "b1")] == [
        (0, 3, "shaded"),
        (1, 3, "plain"),
    ]
    letters = [edge.cell for edge in FOUR.scene_edges if edge.part == "letter" and edge.dy == 1]
    numbers = [edge.cell for edge in FOUR.scene_edges if edge.part == "number" and edge.dx == -1]
    assert (letters, numbers) == (["a1", "b1", "c1", "d1"], ["a1", "a2", "a3", "a4"])
