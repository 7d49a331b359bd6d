"""Hexagonal boards: who is whose neighbour, what lies behind, what hangs together."""

from random import Random

import pytest

from games.kit.scene import hexagon

RINGS_37 = "a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7"
RINGS_48 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8 h5-8"
RINGS_61 = "a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9"


@pytest.fixture
def board():
    return hexagon(RINGS_37)


def cells(board, names):
    return sum(board.bit[name] for name in names.split())


def names(board, mask):
    return " ".join(board.names(mask))


@pytest.mark.parametrize(("rows", "size"), [(RINGS_37, 37), (RINGS_48, 48), (RINGS_61, 61)])
def test_a_board_has_all_its_cells_and_is_made_once(rows, size):
    assert hexagon(rows).full.bit_count() == len(hexagon(rows).bit) == size
    assert hexagon(rows) is hexagon(rows)


@pytest.mark.parametrize("rows", ["", "a", "a1", "4-1 b1-2", "ax-3"])
def test_what_are_not_rows_is_refused(rows):
    with pytest.raises(ValueError, match=r"."):
        hexagon(rows)


@pytest.mark.parametrize(
    ("cell", "around"),
    [
        ("d4", "c3 c4 d3 d5 e4 e5"),
        ("a1", "a2 b1 b2"),
        ("d7", "c6 d6 e7"),
        ("e2", "d1 d2 e3 f3"),
        ("g7", "f6 f7 g6"),
    ],
)
def test_neighbours(board, cell, around):
    assert names(board, board.around(board.bit[cell])) == around


def test_neighbours_are_mutual_and_one_unit_apart_on_the_plane(board):
    for name, bit in board.bit.items():
        x, y = board.places[name]
        near = {other for other, (u, v) in board.places.items() if 0 < (u - x) ** 2 + (v - y) ** 2 < 1.5}
        assert set(board.names(board.around(bit))) == near


def test_a_line_runs_through_f4_behind_g5(board):
    """Newsletter 56: g5, f4, e3, d2 and c1 are one line."""
    jumps = board.jumps[board.bit["g5"]]
    assert names(board, jumps[board.bit["e3"]]) == "f4"
    assert names(board, sum(jumps)) == "e3 e5 g7"
    assert names(board, board.jumps[board.bit["e3"]][board.bit["c1"]]) == "d2"


@pytest.mark.parametrize("rows", [RINGS_37, RINGS_48, RINGS_61])
def test_heads_of_lines_are_those_of_the_table_of_jumps(rows):
    board, rng = hexagon(rows), Random(rows)
    for _ in range(300):
        first, second, third = (rng.getrandbits(100) & board.full for _ in range(3))
        expected = {
            board.name[head]
            for head, jumps in board.jumps.items()
            if head & first and any(over & second and end & third for end, over in jumps.items())
        }
        assert set(board.names(board.heads(first, second, third))) == expected


def test_a_walk_stays_within(board):
    within = cells(board, "a1 a2 b2 d4 e5")
    assert names(board, board.connected(board.bit["a1"], within)) == "a1 a2 b2"
    assert board.connected(board.bit["g7"], within) == 0


def test_groups_are_the_connected_parts(board):
    parts = [names(board, group) for group in board.groups(cells(board, "a1 b1 d4 e5 f6 g4"))]
    assert parts == ["a1 b1", "d4 e5 f6", "g4"]
    assert list(board.groups(0)) == []


def test_the_border_is_loose_and_nothing_else(board):
    border = "a1 a2 a3 a4 b1 b5 c1 c6 d1 d7 e2 e7 f3 f7 g4 g5 g6 g7"
    assert names(board, board.loose(board.full)) == border


@pytest.mark.parametrize(
    ("gone", "loose"),
    [
        ("c3", False),
        ("c3 e5", False),  # two free sides, opposite
        ("c3 d5", False),  # two free sides, one between them
        ("c3 c4", True),
        ("d3 c3", True),
    ],
)
def test_a_cell_is_loose_when_two_adjacent_sides_are_free(board, gone, loose):
    left = board.full ^ cells(board, gone)
    assert bool(board.loose(left) & board.bit["d4"]) is loose


def test_a_pick_hits_every_cell_of_the_set_and_no_other(board):
    rng, three = Random(56), cells(board, "a1 d4 g7")
    picks = [board.name[board.pick(three, rng)] for _ in range(3000)]
    assert {name: round(picks.count(name), -3) for name in picks} == {"a1": 1000, "d4": 1000, "g7": 1000}


@pytest.mark.parametrize(
    ("rows", "along_the_lattice", "from_the_row_start"),
    [
        (RINGS_37, "a1 d7 e2 e7 f3 g4 g7", "a1 d7 e1 e6 f1 g1 g4"),
        (RINGS_48, "d8 e2 f3 g4 h5 h8", "d8 e1 f1 g1 h1 h4"),
        (RINGS_61, "e9 f2 g3 h4 i5 i9", "e9 f1 g1 h1 i1 i5"),
    ],
)
def test_both_ways_to_count(rows, along_the_lattice, from_the_row_start):
    board = hexagon(rows)
    pairs = list(zip(along_the_lattice.split(), from_the_row_start.split(), strict=True))
    assert [(name, board.from_row_start(name)) for name, _ in pairs] == pairs
    assert [(board.to_lattice(counted), counted) for _, counted in pairs] == pairs


def test_the_picture_has_the_longest_row_at_the_left(board):
    assert board.places["d1"] == (0, pytest.approx(3 * 3**0.5 / 2))
    assert board.places["a1"] == (1.5, 0)
    assert board.places["d7"][0] == 6
