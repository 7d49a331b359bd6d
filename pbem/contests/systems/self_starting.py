"""Self-starting: a round robin that begins as soon as enough are in; the next one opens a week later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.contests.systems.round_robin import RoundRobin
from pbem.contests.systems.settings import within
from pbem.contests.systems.values import DRAWN, Game

OPENS = timedelta(days=7)


@dataclass(frozen=True)
class SelfStarting(RoundRobin):
    """`size` is how many have to be in."""

    size: int = 7

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.size, 3, self.most())

    def least(self) -> int:
        return self.size


@dataclass(frozen=True)
class Waiting:
    """Somebody who wants to play the next one."""

    player: int
    since: datetime


def beginning(
    waiting: Iterable[Waiting], size: int, *, last_began: datetime | None, now: datetime
) -> tuple[int, ...]:
    """Those with whom the next one begins now, who waited longest; () while it does not."""
    if last_began is not None and now < last_began + OPENS:
        return ()
    order = sorted(waiting, key=lambda each: (each.since, each.player))
    return tuple(each.player for each in order[:size]) if len(order) >= size else ()


def sleepers(games: Iterable[Game], *, timed_out: Collection[tuple[int, int]]) -> frozenset[int]:
    """Who has lost half of their games or more on time: they are entered in no further one.

    `timed_out` has the first and the second player of the games that ended so.
    """
    played: Counter[int] = Counter()
    slept: Counter[int] = Counter()
    for game in games:
        if game.points is None or game.is_bye:
            continue
        played.update((game.first, game.second))
        if (game.first, game.second) in timed_out and game.points != DRAWN:
            slept[game.second if game.points > DRAWN else game.first] += 1
    return frozenset(player for player, lost in slept.items() if 2 * lost >= played[player])
