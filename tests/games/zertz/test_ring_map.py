"""The map of a board of one's own, as the set-up of a match gives it."""

from string import ascii_lowercase

import pytest

from games.kit.scene import hexagon
from games.zertz.board import ring_map


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("a1-2 b1-3 c2-3", "a1-2 b1-3 c2-3"),  # the smallest hexagon
        ("A1-2, B1-3, C2-3\n", "a1-2 b1-3 c2-3"),
        ("a1-2/b1-3/c2-3", "a1-2 b1-3 c2-3"),
        ("a4 b4-5 c4-7", "a4-4 b4-5 c4-7"),
        ("a93-99", "a93-99"),  # a line, if two players want it
    ],
)
def test_a_map_in_its_plain_form(written, plain):
    assert ring_map(written) == plain
    assert ring_map(plain) == plain


def test_the_largest_board():
    largest = " ".join(f"{letter}1-99" for letter in ascii_lowercase)
    assert len(hexagon(ring_map(largest)).bit) == 26 * 99


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("nonsense", "'nonsense' is no row"),
        ("a1-4 b1–5", "'b1–5' is no row"),
        ("a0-4 b1-5", "'a0-4' is no row"),
        ("a1-4 b1-5 c", "'c' is no row"),
        ("a1-100 b1-5", "up to 99"),
        ("a1-² b1-5", "'a1-²' is no row"),
        ("a4-1 b1-5", "'a4-1' runs backwards"),
        ("a1-4 c1-6", "row b must stand where 'c1-6' does"),
        ("a1-4 a6-8", "row b must stand where 'a6-8' does"),
        ("b1-4 c1-6", "row a must stand where 'b1-4' does"),
        (" ".join(["a1-9"] * 27), "27 rows: a board has at most 26"),
        ("a1-3 b1-3", "at least 7 rings, not 6"),
        ("a1-4 b6-9 c1-4", "no way leads from a1 to b6"),
    ],
)
def test_what_is_no_board_is_refused_and_quoted(written, why):
    with pytest.raises(ValueError, match=why) as refused:
        ring_map(written)
    assert repr(written) in str(refused.value)
