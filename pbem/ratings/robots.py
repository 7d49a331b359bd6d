"""How strong robots are, as people would be: a pool of their own, of matches that count for nobody's rating.

How far their levels are apart is fixed by what they have played against each other (`games.robots.levels`); what is
found here is where all of them stand, by their matches with people whose rating is known. No row is written: robots are
in no list of people, and anyone who plays with them has the rating that they had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from games.robots.levels import above_first, above_lot, results
from pbem.matches.models import Match, Seat
from pbem.players.models import Player
from pbem.ratings.glicko import PROVISIONAL, Strength, rated
from pbem.ratings.history import known_of
from pbem.ratings.models import Rating
from pbem.ratings.service import LEAST_TURNS

MOST = 200  # matches, the latest


@dataclass(frozen=True)
class RobotRating:
    """In the pool of the robots of one game: points `above` the first of them, of which it is itself above moves by
    lot; and the same in the ratings of people, None where that is not known."""

    pool: str
    above: float
    among_people: Strength | None


def ratings_of_robot(robot: Player, now: datetime) -> list[RobotRating]:
    """In each game that robots have played on the ladder."""
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
    """In the ratings of people; None where too few of them have played with robots to say so."""
    above, level = above_first(pool), robot.robot
    scored = list(_results(pool, above, now)) if level in above else []
    first = rated(Strength(), scored, 0) if scored else Strength()
    if level is None or first.is_provisional:
        return None
    return Strength(first.rating + above[level], first.deviation, first.volatility)


def _results(pool: str, above: Mapping[int, float], now: datetime) -> Iterator[tuple[Strength, float]]:
    """The strength of each person, as if it had been Robot-1 that they played; and what the robot has scored."""
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
