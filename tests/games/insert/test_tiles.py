"""What the tiles are made of, and that a drawn layout is one of theirs."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

from games.insert import GAME
from games.insert.board import DOUBLE, MINI_BOARDS, SINGLE, TILES, assemble, draw, turn


def turns(tile):
    """The tile as it stands and after one, two and three quarter-turns."""
    return [tile, turn(tile), turn(turn(tile)), turn(turn(turn(tile)))]


def marks(tiles):
    return Counter("".join("".join(tile) for tile in tiles))


def test_a_quarter_turn_is_clockwise_and_turns_the_lines():
    assert turn(("/|/", "-||", "\\-/")) == ("/|\\", "|--", "\\-\\")


@pytest.mark.parametrize("tile", [*TILES, *MINI_BOARDS])
def test_four_quarter_turns_are_none(tile):
    assert turn(turns(tile)[3]) == tile


def test_there_are_nine_marks_of_each_kind():
    assert marks(TILES) == dict.fromkeys(SINGLE, 9)


def test_mini_boards_have_eight_marks_of_each_single_kind_and_two_of_each_double_one():
    assert marks(MINI_BOARDS) == dict.fromkeys(SINGLE, 8) | dict.fromkeys(DOUBLE, 2)


def test_no_tile_is_a_rotation_of_another_or_of_itself():
    assert len({way for tile in TILES for way in turns(tile)}) == 16


def test_no_tile_has_three_equal_marks_in_a_line_or_more_than_three_in_all():
    for tile in TILES:
        assert max(marks([tile]).values()) <= 3
        assert all(len(set(line)) > 1 for line in (*tile, *zip(*tile, strict=True)))


def test_there_are_6144_layouts():
    orders = permutations(range(4))
    ways = [turns(tile) for tile in TILES]
    layouts = {
        assemble([ways[tile][quarters] for tile, quarters in zip(order, spins, strict=True)])
        for order, spins in product(orders, product(range(4), repeat=4))
    }
    assert len(layouts) == 6144
    rng = Random(49)
    assert all(draw(TILES, rng) in layouts for _ in range(50))


def test_tiles_lie_side_by_side_from_the_upper_left(layout):
    assert layout == "".join(("/|/\\|-", "-|||\\/", "\\-/--\\", "/-||-\\", "/-\\\\/|", "\\/|-\\/"))


@pytest.mark.parametrize("preset", ["", "x+"])
def test_the_same_seed_draws_the_same_layout(preset):
    rules = GAME.presets[preset]
    assert GAME.draw_setup(rules, Random(7)) == GAME.draw_setup(rules, Random(7))
    assert len({GAME.draw_setup(rules, Random(seed)) for seed in range(30)}) == 30


def test_a_drawn_x_plus_layout_has_every_mini_board_somewhere():
    marks = draw(MINI_BOARDS, Random(3))
    squares = [
        (marks[at : at + 2], marks[at + 6 : at + 8]) for row in (0, 12, 24) for at in (row, row + 2, row + 4)
    ]
    # Some of them are rotations of others: each is known by the first of its four ways.
    assert sorted(min(turns(square)) for square in squares) == sorted(min(turns(t)) for t in MINI_BOARDS)
