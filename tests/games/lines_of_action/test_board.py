"""Slides looked up line by line."""

from itertools import product
from random import Random

import pytest

from games.lines_of_action.board import slides


@pytest.mark.parametrize("size", [2, 3, 6])
def test_a_line_never_offers_more_moves_than_it_has_slots(size):
    """Else sampling would miss some."""
    bottom = slides(size).board.rows[0]
    [(mask, table)] = [
        (mask, table) for mask, table in slides(size).lines if mask & sum(bottom) == sum(bottom)
    ]
    reach = slides(size).reach
    for men in product((0, 1, 1 << reach), repeat=size):
        key = sum(bit * man for bit, man in zip(bottom, men, strict=True))
        assert len(table[key & mask]) <= size


def test_the_last_resort_of_sampling_finds_a_rare_move():
    """One man with three moves among a hundred slots and more: blind draws often miss."""
    board = slides(6).board
    rng = Random(3)
    drawn = [str(slides(6).sample(board.bits["a1"], 0, rng)) for _ in range(3_000)]
    assert set(drawn) == {"a1-a2", "a1-b1", "a1-b2"}
    # 1,000 expected each, standard deviation 26
    assert all(870 < drawn.count(move) < 1_130 for move in set(drawn))


def test_nothing_is_drawn_where_nothing_moves():
    board = slides(2).board
    assert slides(2).sample(sum(board.names), 0, Random(1)) is None
