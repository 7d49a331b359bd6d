"""Ladder, king of the hill, and self-starting round robins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from pbem.competitions.systems.round_robin import RoundRobin
from pbem.competitions.systems.settings import Settings, within
from pbem.competitions.systems.values import DRAWN, Draw, Entrant, Game, Line, StandingsInput, seeded

# Common to ladders and hills


@dataclass(frozen=True)
class WithoutRounds(Settings):
    def most(self) -> int:
        return 500

    def draw(self, seen: StandingsInput) -> Draw | None:
        return None if seen.begun else Draw(())

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the initial order, by rating."""
        players = [entrant.player for entrant in seeded(seen.active())]
        return tuple(Line(player, number, False, 0) for number, player in enumerate(players, start=1))

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return 0


@dataclass(frozen=True)
class Ladder(WithoutRounds):
    """A ladder, on which the winner of a challenge takes the place of the player above.

    Challenges reach `reach` places up, or `percent` of all players if more. They are answered within `answer`
    days; the same two players wait `again` days. A player without a game for `idle` days moves down by the
    reach.
    """

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
        """Returns how many places up a player may challenge."""
        return max(self.reach, ceil(players * self.percent / 100))

    def reaches(self, order: Sequence[int], challenger: int) -> tuple[int, ...]:
        """Returns the players within reach of a challenge, the nearest first."""
        at = order.index(challenger)
        return tuple(reversed(order[max(0, at - self.steps(len(order))) : at]))


@dataclass(frozen=True)
class Past:
    """An earlier challenge between two players, in either direction."""

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
    """Returns "" when allowed; else `far`, `away`, `busy` (a challenge is running) or `again` (too soon)."""
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
    """Returns the order after the challenger won; other results change nothing."""
    if order.index(challenger) < order.index(challenged):
        return tuple(order)  # other results have already put them above
    rest = [player for player in order if player != challenger]
    rest.insert(rest.index(challenged), challenger)
    return tuple(rest)


def idle(
    ladder: Ladder, last_played: Mapping[int, datetime], *, away: Collection[int], now: datetime
) -> list[int]:
    """Returns the players idle for too long since their last game or move down, except absent ones."""
    before = now - timedelta(days=ladder.idle)
    return sorted(player for player, last in last_played.items() if last <= before and player not in away)


def lowered(ladder: Ladder, order: Sequence[int], player: int) -> tuple[int, ...]:
    """Returns the order after an idle player moved down."""
    at = order.index(player)
    rest = [each for each in order if each != player]
    rest.insert(min(at + ladder.steps(len(order)), len(rest)), player)
    return tuple(rest)


# King of the hill


@dataclass(frozen=True)
class Hill(WithoutRounds):
    """One match at a time for the crown; a draw keeps it. The first king has the highest rating.

    Challengers follow by rating, those with fewer matches for the crown first.
    """


def challenger(king: int, entrants: Sequence[Entrant], tried: Mapping[int, int]) -> int | None:
    """Returns the next challenger. None without one."""
    waiting = [entrant for entrant in seeded(entrants) if entrant.player != king and entrant.active]
    first = min(waiting, key=lambda entrant: tried.get(entrant.player, 0), default=None)
    return first.player if first else None


def reigns(crowned: Sequence[tuple[int, datetime]], now: datetime) -> Mapping[int, int]:
    """Returns the whole days of each reign by player; `crowned` lists player and beginning in order."""
    until = [since for _, since in crowned[1:]] + [now]
    total: dict[int, timedelta] = {}
    for (player, since), end in zip(crowned, until, strict=True):
        total[player] = total.get(player, timedelta()) + (end - since)
    return {player: time.days for player, time in total.items()}


# Self-starting round robins; the next one opens a week later

OPENS = timedelta(days=7)


@dataclass(frozen=True)
class SelfStarting(RoundRobin):
    """A round robin that begins with `size` players."""

    size: int = 7

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.size, 3, self.most())

    def least(self) -> int:
        return self.size


@dataclass(frozen=True)
class Waiting:
    """A player waiting for the next one."""

    player: int
    since: datetime


def beginning(
    waiting: Iterable[Waiting], size: int, *, last_began: datetime | None, now: datetime
) -> tuple[int, ...]:
    """Returns the players that begin now, in order of waiting. Empty when it does not begin."""
    if last_began is not None and now < last_began + OPENS:
        return ()
    order = sorted(waiting, key=lambda each: (each.since, each.player))
    return tuple(each.player for each in order[:size]) if len(order) >= size else ()


def inactive(games: Iterable[Game], *, timed_out: Collection[tuple[int, int]]) -> frozenset[int]:
    """Returns the players who lost at least half of their games on time; they are not entered again.

    `timed_out` has the first and the second player of the games that ended on time.
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
