"""What a contest will be, before it is created: how many rounds, matches and months. No rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from pbem.contests.systems.groups import LEAST, proposed, sizes
from pbem.contests.systems.settings import Settings
from pbem.contests.systems.swiss import Swiss
from pbem.contests.systems.values import Entrant, Seen

USUAL_ROUND = 90  # days, where the contest sets none: as matches by email last
MONTH = 30.4  # days


@dataclass(frozen=True)
class Forecast:
    """`rounds` at least, 0 where there are none; `at_once` are the matches of a player in the first. `groups` are the
    sizes of groups that would be quicker, if any are, and `groups_months` how long those and a final take."""

    rounds: int
    days: int
    matches: int
    at_once: int
    groups: tuple[int, ...] = ()

    @property
    def months(self) -> int:
        return ceil(self.rounds * self.days / MONTH)

    @property
    def groups_months(self) -> int:
        return ceil(2 * self.days / MONTH)


def forecast(chosen: Settings, players: int) -> Forecast:
    """Raises ValueError for a number of players that cannot play it."""
    rounds = chosen.rounds(players)
    days = chosen.days or USUAL_ROUND
    draw = chosen.draw(Seen(tuple(Entrant(number) for number in range(1, players + 1))))
    pairs = draw.pairs if draw else ()
    each = [sum(number in (p.first, p.second) for p in pairs) for number in range(1, players + 1)]
    slow = isinstance(chosen, Swiss) and rounds > 2 and players >= 2 * LEAST
    groups = sizes(players, proposed(players)) if slow else ()
    return Forecast(rounds, days, len(pairs), max(each), groups)
