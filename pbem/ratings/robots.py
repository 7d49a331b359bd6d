"""Ratings of robots, computed from their matches with rated people; no row is written.

The distances between levels come from games among robots (`games.engine.robot`); these matches place the
whole ladder on the scale of people. They do not change ratings of people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from games.engine.robot import above_first, above_lot, results
from pbem.matches.models import Match, Seat
from pbem.players.models import Player
from pbem.ratings.glicko import PROVISIONAL, Strength, update
from pbem.ratings.history import known_of
from pbem.ratings.models import Rating
from pbem.ratings.service import LEAST_TURNS

MOST = 200  # matches, the latest


@dataclass(frozen=True)
class RobotRating:
    """A robot in one game: points `above` the first robot, which is itself above random moves.

    `among_people` is its rating on the scale of people; None when unknown.
    """

    pool: str
    above: float
    among_people: Strength | None


def ratings_of_robot(robot: Player, now: datetime) -> list[RobotRating]:
    """Returns the robot's ratings in each game of the robots' ladder."""
    seats = Seat.objects.filter(player__robot__isnull=False, match__status=Match.Status.OVER)
    met = set(seats.order_by().values_list("match__game_name", flat=True).distinct())
    found = []
    for pool in dict.fromkeys(result.name for result in results()):
        above = above_lot(pool) if robot.robot == 1 else above_first(pool).get(robot.robot or 0)
        if above is not None:
            found.append(
                RobotRating(pool, above, strength_of_robot(robot, pool, now) if pool in met else None)
            )
    return found


def strength_of_robot(robot: Player, pool: str, now: datetime) -> Strength | None:
    """Returns the rating on the scale of people. None when too few rated people have played robots."""
    above, level = above_first(pool), robot.robot
    scored = list(_results(pool, above, now)) if level in above else []
    first = update(Strength(), scored, 0) if scored else Strength()
    if level is None or first.is_provisional:
        return None
    return Strength(first.rating + above[level], first.deviation, first.volatility)


def _results(pool: str, above: Mapping[int, float], now: datetime) -> Iterator[tuple[Strength, float]]:
    """Yields each person's rating, shifted as if the opponent had been Robot-1, and the robot's score."""
    played = Match.objects.filter(game_name=pool, status=Match.Status.OVER, ply__gte=2 * LEAST_TURNS)
    robots = Seat.objects.filter(match__in=played, player__robot__in=above).order_by("-match_id")
    facts = robots.values_list("match", "side", "player__robot", "match__winner")[:MOST]
    others = Seat.objects.filter(
        match__in=[row[0] for row in facts], player__robot=None, player__program=False
    )
    people = dict(others.values_list("match", "player"))
    sure = Rating.objects.filter(pool=pool, deviation__lte=PROVISIONAL, player__in=set(people.values()))
    known = {row.player_id: known_of(row).aged(now) for row in sure}
    for match, side, level, winner in facts:
        person = known.get(people.get(match, 0))
        if person and level is not None:
            score = 0.5 if winner is None else float(winner == side)
            yield Strength(person.rating - above[level], person.deviation, person.volatility), score
