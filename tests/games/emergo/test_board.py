"""The 41 dark squares and what lies beside them."""

import pytest

from games.emergo.board import (
    ALL,
    BIT,
    BORDER,
    CENTRE,
    INDEX,
    INNER,
    JUMPS,
    SQUARES,
    STEPS,
    exposed,
    indices,
    walkers,
)


def at(name):
    return "abcdefghi".index(name[0]), int(name[1]) - 1


def mask(names):
    return sum(BIT[name] for name in names.split())


def test_the_squares_are_those_as_dark_as_a1():
    every = [f"{letter}{number}" for number in range(1, 10) for letter in "abcdefghi"]
    assert list(SQUARES) == [name for name in every if sum(at(name)) % 2 == 0]
    assert len(SQUARES) == 41
    assert (ALL, 0, BIT["e5"]) == (BORDER | INNER, BORDER & INNER, CENTRE)
    assert BORDER.bit_count() == 16


def test_steps_and_jumps_are_those_of_the_plane():
    for name in SQUARES:
        x, y = at(name)
        around = {other for other in SQUARES if (abs(at(other)[0] - x), abs(at(other)[1] - y)) == (1, 1)}
        assert {SQUARES[index] for index in STEPS[INDEX[name]]} == around
        behind = {
            (over, other)
            for over in around
            for other in SQUARES
            if at(other) == (2 * at(over)[0] - x, 2 * at(over)[1] - y)
        }
        jumps = JUMPS[INDEX[name]]
        assert {(SQUARES[over], SQUARES[landing]) for over, landing, _, _ in jumps} == behind
        assert all((over_bit, bit) == (1 << over, 1 << landing) for over, landing, over_bit, bit in jumps)


@pytest.mark.prove
def test_whoever_has_a_hunter_before_and_nothing_behind_is_exposed():
    for over in SQUARES:
        for hunter, behind in [(one, other) for one in SQUARES for other in SQUARES]:
            middle = tuple(a + b for a, b in zip(at(hunter), at(behind), strict=True))
            near = (
                hunter != behind and max(abs(a - b) for a, b in zip(at(hunter), at(over), strict=True)) == 1
            )
            expected = near and middle == tuple(2 * part for part in at(over))
            assert bool(exposed(BIT[over], BIT[hunter], BIT[behind])) is expected


def test_no_step_leads_round_the_edge():
    for name in SQUARES:
        stepping = sum(bool(way) for way in walkers(BIT[name], ALL))
        assert stepping == len(STEPS[INDEX[name]])
        for other in SQUARES:
            assert any(walkers(BIT[name], BIT[other])) is (INDEX[other] in STEPS[INDEX[name]])


def test_a_set_lists_its_squares():
    assert [SQUARES[index] for index in indices(mask("i9 a1 e5"))] == ["a1", "e5", "i9"]
