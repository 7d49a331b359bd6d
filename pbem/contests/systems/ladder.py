"""Ladder: the player who wins a challenge takes the place of the player above, and those between move down one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from pbem.contests.systems.settings import within
from pbem.contests.systems.without_rounds import WithoutRounds


@dataclass(frozen=True)
class Ladder(WithoutRounds):
    """Challenges go up to `reach` places, or a `percent` of all, whichever is more. They are answered within `answer`
    days; the same two wait `again` days; who plays nothing for `idle` days goes down as far as a challenge reaches."""

    reach: int = 3
    percent: int = 10
    answer: int = 7
    again: int = 14
    idle: int = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.reach, 1, 20)
        within(self.percent, 0, 50)
        within(self.answer, 1, 60)
        within(self.again, 0, 365)
        within(self.idle, 7, 365)

    def steps(self, players: int) -> int:
        """How many places above themselves a player may challenge."""
        return max(self.reach, ceil(players * self.percent / 100))

    def reaches(self, order: Sequence[int], challenger: int) -> tuple[int, ...]:
        """Those above whom they may challenge by place alone, the nearest first."""
        at = order.index(challenger)
        return tuple(reversed(order[max(0, at - self.steps(len(order))) : at]))


@dataclass(frozen=True)
class Past:
    """An earlier challenge between two, no matter who made it."""

    players: frozenset[int]
    made: datetime
    running: bool


def may_challenge(
    ladder: Ladder,
    order: Sequence[int],
    challenger: int,
    challenged: int,
    *,
    past: Iterable[Past] = (),
    away: Collection[int] = (),
    now: datetime,
) -> str:
    """ "" if they may; else `far`, `away`, `busy` (either plays a challenge already) or `again` (too soon)."""
    if challenger not in order or challenged not in ladder.reaches(order, challenger):
        return "far"
    if {challenger, challenged} & set(away):
        return "away"
    earlier = list(past)
    if any(each.running and each.players & {challenger, challenged} for each in earlier):
        return "busy"
    both, since = frozenset((challenger, challenged)), now - timedelta(days=ladder.again)
    return "again" if any(each.players == both and each.made > since for each in earlier) else ""


def after(order: Sequence[int], challenger: int, challenged: int) -> tuple[int, ...]:
    """The order when the challenger has won. A win of the challenged, and a draw, change nothing."""
    if order.index(challenger) < order.index(challenged):
        return tuple(order)  # others have moved them past each other meanwhile
    rest = [player for player in order if player != challenger]
    rest.insert(rest.index(challenged), challenger)
    return tuple(rest)


def idle(
    ladder: Ladder, last_played: Mapping[int, datetime], *, away: Collection[int], now: datetime
) -> list[int]:
    """Whose last game, or last step down, is too long ago; an absence freezes."""
    before = now - timedelta(days=ladder.idle)
    return sorted(player for player, last in last_played.items() if last <= before and player not in away)


def lowered(ladder: Ladder, order: Sequence[int], player: int) -> tuple[int, ...]:
    """The order when they have gone down for playing nothing."""
    at = order.index(player)
    rest = [each for each in order if each != player]
    rest.insert(min(at + ladder.steps(len(order)), len(rest)), player)
    return tuple(rest)
