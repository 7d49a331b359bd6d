"""Glicko-2 gives what its author's paper gives, and nothing odd at the bounds."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ratings.glicko import LARGEST, LEAST, SCALE, Strength, aged, update

strengths = st.builds(
    Strength,
    st.floats(600, 2600),
    st.floats(LEAST, LARGEST),
    st.floats(0.03, 0.09),
)


def test_the_worked_example_of_its_author():
    """Glickman 2013, section 4: 1464.06, 151.52 and 0.05999 after three results in one period."""
    opponents = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    after = update(Strength(1500, 200, 0.06), opponents, periods=1.0)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert pytest.approx(400 / log(10)) == SCALE


def test_two_newcomers():
    """As lichess has it for their very first game: 1500 becomes 1662 and 1338."""
    new = Strength()
    won, lost = (update(new, [(new, score)], periods=0) for score in (1.0, 0.0))
    assert (round(won.rating), round(lost.rating)) == (1662, 1338)
    assert round(won.deviation) == round(lost.deviation) == 290
    assert won.is_provisional


@given(strengths, strengths, st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 200))
def test_a_win_raises_and_a_loss_lowers_within_bounds(one, other, score, periods):
    after = update(one, [(other, score)], periods)
    assert LEAST <= after.deviation <= LARGEST
    assert 0 < after.volatility < 1
    if score != 0.5:
        assert (after.rating > one.rating) == (score > 0.5)


@given(strengths, strengths, st.floats(0, 50))
def test_what_one_wins_mirrors_what_one_loses(one, other, periods):
    """The sum of both outcomes is decided by what was expected alone: seen in a mirror every number is the same."""
    mirrored = Strength(-one.rating, one.deviation, one.volatility)
    theirs = Strength(-other.rating, other.deviation, other.volatility)
    won, lost = update(one, [(other, 1.0)], periods), update(mirrored, [(theirs, 0.0)], periods)
    assert won.rating == pytest.approx(-lost.rating, abs=1e-6)
    assert won.deviation == pytest.approx(lost.deviation, abs=1e-6)


def test_time_makes_it_unsure_up_to_the_bound():
    known = Strength(1700, 60, 0.06)
    assert aged(known, 0) == known
    assert aged(known, 12).deviation == pytest.approx((60**2 + 12 * (0.06 * SCALE) ** 2) ** 0.5)
    assert aged(known, 10_000) == Strength(1700, LARGEST, 0.06)
