"""Counts of turn sequences, as independent engines give them."""

import pytest

from games.zertz.rules import start
from games.zertz.variants import PRESETS, Rules

RINGS_48 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8 h5-8"
RINGS_61 = "a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9"


def perft(position, depth):
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_two_turns_on_37_rings(rules):
    assert [perft(start(rules), depth) for depth in (1, 2)] == [1_944, 3_277_260]


@pytest.mark.parametrize(
    ("rings", "counts"), [(RINGS_48, (2_961, 7_824_600)), (RINGS_61, (4_320, 17_000_496))]
)
def test_larger_boards_are_only_another_value(rings, counts):
    position = start(Rules(rings=rings))
    assert (perft(position, 1), perft(position, 2)) == counts


def test_three_turns_on_37_rings():
    """With one colour for three in the first two turns, where colours do not matter yet, and one
    first turn for all that a turn or a reflection of the board makes of it."""
    position = start(Rules())
    symmetries = symmetries_of(position.rules.board)
    seen, total = set(), 0
    for first in white_turns(position):
        if (first.cell, first.removed) in seen:
            continue
        alike = {(image[first.cell], image[first.removed]) for image in symmetries}
        seen |= alike
        after = position.play(first)
        total += len(alike) * sum(after.play(second).count() for second in white_turns(after))
    assert total * 9 == 4_114_538_424


def white_turns(position):
    return [move for move in position.moves() if str(move).startswith("W")]


def symmetries_of(board):
    """The twelve ways to lay the hexagon on itself, name to name, found on the plane."""
    middle_x, middle_y = board.places["d4"]
    points = {name: complex(x - middle_x, y - middle_y) for name, (x, y) in board.places.items()}
    at = {rounded(point): name for name, point in points.items()}
    sixth = complex(0.5, 3**0.5 / 2)
    turned = [{name: at[rounded(p * sixth**n)] for name, p in points.items()} for n in range(6)]
    mirrored = {name: at[rounded(p.conjugate())] for name, p in points.items()}
    return turned + [{name: mirrored[image] for name, image in turn.items()} for turn in turned]


def rounded(point):
    return round(point.real * 2), round(point.imag * 2)
