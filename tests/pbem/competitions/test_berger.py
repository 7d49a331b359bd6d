"""Round robins: the printed tables, and what must hold for any number of players."""

from collections import Counter

import pytest

from pbem.competitions.pairings import rounds

# FIDE Handbook, C.05, annex 1; the first of a pair has the white pieces.
SIX = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
FOUR = """
1-4 2-3
4-3 1-2
2-4 3-1
"""
EIGHT = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""


@pytest.mark.parametrize(("printed", "number"), [(FOUR, 4), (SIX, 6), (EIGHT, 8)])
def test_the_rounds_are_those_of_the_printed_tables(printed: str, number: int) -> None:
    made = [" ".join(f"{a}-{b}" for a, b in pairs) for pairs in rounds(range(1, number + 1))]
    assert made == printed.split("\n")[1:-1]


@pytest.mark.parametrize("number", range(2, 40))
@pytest.mark.parametrize("double", [False, True])
def test_everybody_meets_everybody_with_sides_in_balance(number: int, double: bool) -> None:
    table = rounds(range(number), double=double)
    met = Counter(frozenset(pair) for pairs in table for pair in pairs)
    assert set(met.values()) == {1 + double}
    assert len(met) == number * (number - 1) // 2
    for pairs in table:
        assert len({player for pair in pairs for player in pair}) == 2 * len(pairs) == number - number % 2
    firsts, seconds = (Counter(pair[side] for pairs in table for pair in pairs) for side in (0, 1))
    most = 0 if double or number % 2 else 1
    assert all(abs(firsts[player] - seconds[player]) <= most for player in range(number))
    if double:
        assert len({pair for pairs in table for pair in pairs}) == number * (number - 1)


def test_nobody_plays_a_round_robin_alone() -> None:
    with pytest.raises(ValueError, match="1 entrants"):
        rounds(["Alice"])
