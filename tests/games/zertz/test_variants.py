"""The presets and the switches of Zèrtz."""

from itertools import pairwise
from math import floor, sqrt

import pytest

from games.registry import canonical, find
from games.zertz import GAME
from games.zertz.variants import Rules

SIZES = {"": 37, "40": 40, "43": 43, "44": 44, "+11": 48, "+24": 61}


def test_the_presets():
    assert list(GAME.presets) == ["", "blitz", "+11", "+24", "40", "43", "44"]
    assert GAME.presets[""].marbles == (6, 8, 10)
    assert GAME.presets[""].goals == (3, (4, 5, 6))
    assert GAME.presets["blitz"].marbles == (5, 7, 9)
    assert GAME.presets["blitz"].goals == (2, (3, 4, 5))


@pytest.fixture(params=SIZES)
def board(request):
    """Each board, by its preset."""
    board = GAME.presets[request.param].board
    assert len(board.bit) == SIZES[request.param]
    return board


def test_every_board_holds_that_of_37_rings(board):
    assert set(Rules().board.bit) <= set(board.bit)


def test_every_board_is_a_hexagon(board):
    """Its left side runs straight down and then bends once, and so does its right side."""
    left, right = (
        [int(after[end][1:]) - int(before[end][1:]) for before, after in pairwise(board.rows)]
        for end in (0, -1)
    )
    assert left == sorted(left)
    assert right == sorted(right, reverse=True)
    assert {*left, *right} == {0, 1}


def test_no_board_of_as_many_rings_is_more_compact(board):
    """Harborth 1974: n equal coins touch in at most 3n - sqrt(12n - 3) places."""
    n = len(board.bit)
    pairs = sum(board.around(bit).bit_count() for bit in board.bit.values()) // 2
    assert pairs == floor(3 * n - sqrt(12 * n - 3))


def test_the_marbles_and_goals_of_any_game_go_with_any_board():
    game, rules = find("zertz+11,blitz")
    assert canonical(game, rules) == "zertz:+11,blitz"
    assert (rules.board, rules.marbles) == (GAME.presets["+11"].board, (5, 7, 9))
    _, rules = find("zertz:44,goals=short")
    assert (rules.board, rules.goals.each) == (GAME.presets["44"].board, 2)


@pytest.mark.parametrize("key", ["marbles", "goals", "islands"])
def test_a_switch_tells_what_it_has_set_and_starts_at_its_first_value(key):
    switch = GAME.switches[key]
    assert switch.value(Rules()) == switch.values[0]
    assert [switch.value(switch.apply(Rules(), value)) for value in switch.values] == list(switch.values)


def test_the_switches_make_the_presets():
    short = GAME.switches["goals"].apply(Rules(), "short")
    assert GAME.switches["marbles"].apply(short, "21") == GAME.presets["blitz"]


def test_rules_are_values():
    assert hash(Rules()) == hash(GAME.presets[""])
    assert Rules() == GAME.presets[""] != Rules(islands="any")
