"""How strong robots are, in the ratings of people."""

from random import Random

import pytest

from games.engine.robot import above_first
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.ratings.leaderboards import title
from pbem.ratings.models import Rating
from pbem.ratings.robots import strength_of_robot
from tests.mail_fixtures import Correspondent, Post


def plays(person: Player, level: int, winner: int | None, post: Post, times: int) -> None:
    """Against a robot, which is the second."""
    robot = Player.objects.get(robot=level)
    for _ in range(times):
        match = start(first=person, second=robot, game="loa", now=post.now, rng=Random(1))
        over = {
            "status": Match.Status.OVER,
            "winner": winner,
            "ply": 20,
            "to_move": None,
            "ended_at": post.now,
        }
        Match.objects.filter(pk=match.pk).update(**over)


def knows(player: Player, rating: float, deviation: float, post: Post) -> None:
    facts = {"rating": rating, "deviation": deviation, "volatility": 0.06, "matches": 20, "at": post.now}
    Rating.objects.create(player=player, pool="loa", **facts)


def test_it_is_told_when_it_is_known_and_of_all_levels_then(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent, post: Post
) -> None:
    one, two, three = Player.objects.robots()
    assert strength_of_robot(one, "loa", post.now) is None
    plays(alice.player, 1, 0, post, 10)
    knows(alice.player, 1800, 300, post)
    plays(bruno.player, 1, 1, post, 10)  # who has no rating
    assert strength_of_robot(one, "loa", post.now) is None, "nobody's rating is known"
    Rating.objects.update(deviation=60)
    plays(alice.player, 2, 1, post, 10)
    found = {robot: strength_of_robot(robot, "loa", post.now) for robot in (one, two, three)}
    ratings = [strength.rating for strength in found.values() if strength]
    above = above_first("loa")
    assert ratings[1] - ratings[0] == pytest.approx(above[2])
    assert ratings[2] - ratings[0] == pytest.approx(above[3])
    assert ratings[0] < 1800 < ratings[1], "it has lost to her as Robot-1, and won as Robot-2"
    assert strength_of_robot(one, "zertz", post.now) is None
    assert not Rating.objects.filter(player__robot__isnull=False).exists()

    charlie.writes("RATING Robot-2")
    told = " ".join(charlie.letter.text.split())
    above = round(above_first("loa")[2])
    deviation = round(strength_of_robot(two, "loa", post.now).deviation)  # type: ignore[union-attr]
    known = f"{above} (about as well as a {round(ratings[1])} ±{deviation} here)"
    assert f"{title('loa', 'en')}: {known}" in told
    assert "Emergo: " in told, "where nobody has played with it, too"
    charlie.writes("RATING Robot-1")
    assert "random moves" in " ".join(charlie.letter.text.split())
    charlie.writes("RATINGS loa")
    assert "Robot" not in charlie.letter.text
    charlie.writes("CHALLENGE Robot-2 loa first")
    told = " ".join(charlie.letter.text.split())
    assert f"Robot-2 plays about as well as a {round(ratings[1])} here." in told
