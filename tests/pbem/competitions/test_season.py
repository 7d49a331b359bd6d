"""Months of six contests at once without an organiser: what they come to is what one counts by hand, and nobody gets
more than one letter a round."""

import pytest

from tests.pbem.competitions.season import Season, judge

pytestmark = [pytest.mark.django_db, pytest.mark.prove]


def test_a_season_without_an_organiser() -> None:
    """Another one is lived on PostgreSQL, in `tests/journeys/test_contests_on_postgres.py`."""
    Season(1).live()
    judge()
