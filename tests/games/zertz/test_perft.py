"""Counts of turn sequences, as independent engines give them."""

import pytest

from games.zertz.rules import start
from games.zertz.variants import PRESETS, Rules


def perft(position, depth):
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


@pytest.mark.parametrize(
    ("preset", "counts"),
    [
        ("", (1_944, 3_277_260)),
        ("blitz", (1_944, 3_277_260)),
        ("+11", (2_961, 7_824_600)),
        ("+24", (4_320, 17_000_496)),
    ],
)
def test_two_turns_from_the_start(preset, counts):
    position = start(PRESETS[preset])
    assert (perft(position, 1), perft(position, 2)) == counts


@pytest.mark.prove
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
