"""Months of six contests at once without an organiser: what they come to is what one counts by hand, and nobody gets
more than one letter a round."""

import pytest

from tests.pbem.contests.season import Season, judge

pytestmark = [pytest.mark.django_db, pytest.mark.prove]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_season_without_an_organiser(seed: int) -> None:
    Season(seed).live()
    judge()
