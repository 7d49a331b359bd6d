"""Which rated matches count, and which do not."""

from datetime import timedelta

import pytest

from pbem.matches.models import Event, Match, Turn
from pbem.players.models import Address, Player
from pbem.ratings.models import RatedGame, Rating
from tests.mail_fixtures import MORNING
from tests.pbem.ratings.conftest import Ended, tell

pytestmark = pytest.mark.django_db


def why(match: Match) -> str:
    return RatedGame.objects.get(match=match).uncounted


def test_a_rated_match_counts_and_another_does_not(ended: Ended, players: list[Player]) -> None:
    assert why(ended(0, 1, 0)) == ""
    won, lost = Rating.objects.order_by("-rating")
    assert (won.player, round(won.rating), round(won.deviation), won.matches) == (players[0], 1662, 290, 1)
    assert (lost.player, round(lost.rating), round(lost.deviation), lost.pool) == (
        players[1],
        1338,
        290,
        "loa",
    )
    assert not RatedGame.objects.filter(match=ended(rated=False)).exists()
    assert Rating.objects.count() == 2


def test_nobody_is_rated_by_what_they_do_to_a_robot(ended: Ended, players: list[Player]) -> None:
    Player.objects.robots().update(robot=None)
    players[1].robot = 1
    players[1].save(update_fields=["robot"])
    assert why(ended(0, 1, 0)) == "robot"
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"turns": 3}, "short"),
        ({"turns": 4}, ""),
        ({"reason": "adjudicated"}, "decided"),
        ({"reason": "time", "turns": 1}, "short"),  # somebody who never came is neither ranked nor punished
        ({"reason": "agreed", "winner": None}, ""),
    ],
)
def test_two_turns_each_and_decided_by_play(ended: Ended, facts: dict, said: str) -> None:
    match = ended(**facts)
    assert why(match) == said
    assert Rating.objects.count() == (0 if said else 2)
    assert RatedGame.objects.get().before == ([] if said else [[1500.0, 350.0, 0.06]] * 2)


def test_a_seat_that_changed_hands_and_two_at_one_mailbox(ended: Ended, players: list[Player]) -> None:
    for player in players[:2]:
        Address.objects.create(player=player, email="home@example.org")
    assert why(ended()) == "", "an address that nobody has verified proves nothing"
    Address.objects.update(verified_at=MORNING)
    assert why(ended()) == "mailbox"
    match = ended(2, 3)
    RatedGame.objects.all().delete()
    Event.objects.create(match=match, kind=Event.Kind.REPLACED, ply=2, happened_at=MORNING)
    tell(match, Event.Kind.ENDED, MORNING)
    assert why(match) == "replaced"


def test_ten_of_two_players_in_ninety_days(ended: Ended) -> None:
    assert {why(ended(number % 2, 1 - number % 2, 0, day=number)) for number in range(10)} == {""}
    assert why(ended(0, 1, day=10, game="zertz")) == "often"
    assert why(ended(0, 2, day=11)) == "", "the others they play count"
    assert why(ended(0, 1, day=92)) == "", "the first two are long ago"


def test_the_first_defeat_of_a_series_on_time_counts(ended: Ended, players: list[Player]) -> None:
    """Alice has fallen silent; when she moves again, anywhere, she is a player like others."""
    assert why(ended(0, 1, 1, day=1, reason="time")) == ""
    assert why(ended(2, 0, 0, day=1, reason="time")) == "series"
    assert why(ended(0, 3, 1, day=5, reason="time")) == "series"
    assert why(ended(2, 3, 1, day=6, reason="time")) == "", "of another player"
    assert why(ended(0, 4, 0, day=6, reason="time")) == "", "and she may win so"
    casual = ended(0, 4, None, day=9, rated=False)
    Turn.objects.filter(match=casual, side=0).update(played_at=MORNING + timedelta(days=7))
    assert why(ended(0, 3, 1, day=10, reason="time")) == ""
