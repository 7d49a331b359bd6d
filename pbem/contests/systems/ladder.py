"""Ladder: the player who wins a challenge takes the place of the player above, and those between move down one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from pbem.contests.systems.round_robin import RoundRobin
from pbem.contests.systems.settings import Settings, within
from pbem.contests.systems.values import DRAWN, Draw, Entrant, Game, Line, Seen, seeded

# What ladders and kings of the hill have in common: they begin, and their players challenge each
# other.


@dataclass(frozen=True)
class WithoutRounds(Settings):
    def most(self) -> int:
        return 500

    def draw(self, seen: Seen) -> Draw | None:
        return None if seen.begun else Draw(())

    def places(self, seen: Seen) -> tuple[Line, ...]:
        """At the beginning, by rating."""
        players = [entrant.player for entrant in seeded(seen.active())]
        return tuple(Line(player, number, False, 0) for number, player in enumerate(players, start=1))

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return 0


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


# King of the hill: one match at a time for the crown; a draw keeps it where it is.


@dataclass(frozen=True)
class Hill(WithoutRounds):
    """The first king is who has the highest rating. Who waits challenges by rating, who has played for the crown
    less often before the others."""


def challenger(king: int, entrants: Sequence[Entrant], tried: Mapping[int, int]) -> int | None:
    """Who plays for the crown next; None where nobody is there but the king."""
    waiting = [entrant for entrant in seeded(entrants) if entrant.player != king and entrant.active]
    first = min(waiting, key=lambda entrant: tried.get(entrant.player, 0), default=None)
    return first.player if first else None


def reigns(crowned: Sequence[tuple[int, datetime]], now: datetime) -> Mapping[int, int]:
    """How many whole days each has worn the crown: `crowned` says who from when, the earliest first."""
    until = [since for _, since in crowned[1:]] + [now]
    total: dict[int, timedelta] = {}
    for (player, since), end in zip(crowned, until, strict=True):
        total[player] = total.get(player, timedelta()) + (end - since)
    return {player: time.days for player, time in total.items()}


# Self-starting: a round robin that begins as soon as enough are in; the next one opens a week
# later.

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
