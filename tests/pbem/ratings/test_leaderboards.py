"""What is told of ratings, and in how few questions."""

from typing import Any

from pbem.players.models import Player
from pbem.ratings.leaderboards import rating_at
from tests.mail_fixtures import MORNING
from tests.pbem.ratings.conftest import Ended


def test_many_offers_for_a_band_are_one_question(
    ended: Ended, players: list[Player], django_assert_num_queries: Any
) -> None:
    ended(0, 1, 0)
    rating = rating_at(MORNING)
    with django_assert_num_queries(1):
        assert {round(rating(players[0], "loa")) for _ in range(3)} == {1662}
